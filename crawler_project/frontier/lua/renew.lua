-- renew: keep leases for longer; the heartbeat of a worker.
--
-- KEYS[1]  {…}:m
-- ARGV     expiry (Unix time), tokens
-- Result   the tokens that are not held any more
-- Atomic   all of it.
-- Bounded  by the number of tokens (the client sends at most 500).

local lost = {}
for i = 2, #ARGV do
  if call('HEXISTS', LEASES, ARGV[i]) == 1 then
    call('ZADD', EXPIRY, ARGV[1], ARGV[i])
  else
    lost[#lost + 1] = ARGV[i]
  end
end
return lost
