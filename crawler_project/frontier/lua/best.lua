-- best: what this shard has to offer, so that the best of all shards is leased.
--
-- KEYS[1]  {…}:m
-- ARGV     now, delay (s), max_expired
-- Result   {pages and leases of the shard, precedence, priority} of the best host that is ready; only the first when
--          none is ready or the crawl is paused
-- Atomic   all of it.
-- Bounded  wakes at most 500 hosts, takes back at most 16 expired leases.

take_back_and_wake(number(ARGV[1], 'now'), tonumber(ARGV[2]), tonumber(ARGV[3]))
local answer = {M.pages + call('HLEN', LEASES)}
local member = M.paused == 0 and call('ZRANGE', READY, 0, 0)[1]
if member then
  local H = load_host(sub(member, 17))
  if not H.head_priority then damaged(HOST .. H.name, 'ready, but empty') end
  answer[2], answer[3] = text(H.precedence), text(H.head_priority + H.offset)
end
save_all()
return answer
