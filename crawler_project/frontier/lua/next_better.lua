-- next_better: when a host is ready that rests not much longer and has a URL of a rank or better.
--
-- KEYS[1]  {…}:m
-- ARGV     now, rank (priority with the verdict about the host), until when (Unix time)
-- Result   Unix time at which the first such host is ready, 'leased' when only a leased host has such a URL, or ''
-- Atomic   all of it; nothing but outdated places in lists is removed.
-- Bounded  looks at the 100 hosts that are ready soonest, and at the 100 leases that expire last.

local MOST = 100
local rank = number(ARGV[2], 'rank')

local function has_better(H)
  local priority = find_head(H)
  return priority and priority + H.offset <= rank
end

local function find_ready_at()
  local resting = call('ZRANGEBYSCORE', REST, '(' .. ARGV[1], ARGV[3], 'WITHSCORES', 'LIMIT', 0, MOST)
  for i = 1, #resting, 2 do
    if has_better(load_host(resting[i])) then return resting[i + 1] end
  end
  for _, token in ipairs(call('ZREVRANGE', EXPIRY, 0, MOST - 1)) do
    local lease = call('HGET', LEASES, token)
    local name = lease and string.match(lease, '^%S+ %S+ %S+ %S+ (.*)$')
    if name and has_better(load_host(name)) then return 'leased' end
  end
  return ''
end

local ready_at = find_ready_at()
save_all()
return ready_at
