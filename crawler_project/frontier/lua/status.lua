-- status: the crawl at a glance.
--
-- KEYS[1]  {…}:m
-- ARGV     now
-- Result   {queued, seen, leased, hosts ready, hosts waiting, dead, garbage lists}
-- Atomic   reads only.
-- Bounded  by the number of leases.

local waiting = 0
for _, lease in ipairs(call('HVALS', LEASES)) do
  local name = string.match(lease, '^%d+ %S* (.*)$')
  local n = name and call('HGET', HOST .. name, 'n')
  if n and tonumber(n) > 0 then waiting = waiting + 1 end
end
local due = call('ZCOUNT', REST, '-inf', ARGV[1])
local resting = call('ZCARD', REST) - due
return {M.queued, M.seen, call('HLEN', LEASES), call('ZCARD', READY) + due, resting + waiting, M.dead, call('LLEN', P .. 'garbage')}
