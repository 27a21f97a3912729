-- release: give a leased URL back unharmed, in its old place, with no attempt counted.
--
-- KEYS[1]  {…}:m
-- ARGV     now, token, fetched (1, 0: whether the host's delay starts), delay (s)
-- Result   1, or 0 when the token is not held (then nothing changes)
-- Atomic   all of it.
-- Bounded  one URL, one host.

local now = number(ARGV[1], 'now')
local H, rid, priority = strike(ARGV[2])
if not H then return 0 end
give_back(H, rid, priority)
local own = call('HGET', HOST .. H.name, 'd')
end_lease(H, now, ARGV[3] == '1' and (own and number(own, HOST .. H.name) or tonumber(ARGV[4])) or 0)
save_all()
return 1
