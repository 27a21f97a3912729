-- status: the crawl at a glance.
--
-- KEYS[1]  {…}:m
-- ARGV     now
-- Result   {queued, seen, leased, hosts ready, hosts waiting, dead, garbage lists}
-- Atomic   reads only.
-- Bounded  by the number of leases.

local waiting = 0
for _, lease in ipairs(call('HVALS', LEASES)) do
  local name = string.match(lease, '^%d+%+? %S+ %S+ %S+ (.*)$') or damaged(LEASES, 'a lease')
  local queued = call('EXISTS', BY_SEQ .. name)
  for _, priority in ipairs(priorities_of(load_host(name))) do
    queued = queued + call('EXISTS', QUEUE .. name .. ':' .. priority)
  end
  if queued > 0 then waiting = waiting + 1 end
end
local due = call('ZCOUNT', REST, '-inf', ARGV[1])
local resting = call('ZCARD', REST) - due
return {M.queued, M.seen, call('HLEN', LEASES), call('ZCARD', READY) + due, resting + waiting, M.dead, call('LLEN', P .. 'garbage')}
