-- lease: hand the best entries of ready hosts to a worker, one a host.
--
-- KEYS[1]  {…}:m
-- ARGV     now, limit, expiry (Unix time of the leases), worker, delay (s), max_expired, first token: a random number,
--          so that a token is never given twice, not even by a Redis that lost its last second; the crawl's budget
--          of pages, or '': each lease may become a page, so no more are given than are left of it
-- Result   one list a lease: {token, attempt, host, priority, header, record, pages, target pages,
--          version of the host's rules}
-- Atomic   choice, politeness and lease: no two workers hold the same host, and none holds it before it is ready.
-- Bounded  wakes at most 500 hosts, takes back at most 16 expired leases, hands out at most 100.

local now = number(ARGV[1], 'now')

take_back_and_wake(now, tonumber(ARGV[5]), tonumber(ARGV[6]))
local limit, leases = room_for(tonumber(ARGV[2]), ARGV[8]), {}
local members = limit > 0 and call('ZRANGE', READY, 0, limit - 1) or {}
for _, member in ipairs(members) do
  local H = load_ready(member)
  local rid, list = take(H)
  if rid then leases[#leases + 1] = write_lease(H, rid, list, format('%.0f', ARGV[7] + #leases), now, ARGV[3], ARGV[4]) end
end
save_all()
return leases
