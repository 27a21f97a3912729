-- peek: the best URL of each host, in the order in which they would be leased: of hosts that are ready, then of those
-- that rest, in the order in which they wake.
--
-- KEYS[1]  {…}:m
-- ARGV     how many hosts
-- Result   one list a host: {host, ready at or '', precedence, priority, header, record}
-- Atomic   all of it; nothing but outdated places in lists is removed.
-- Bounded  by the number of hosts, at most 100.

local limit = math.min(number(ARGV[1], 'limit'), 100)
local found = {}

local function look(H, ready_at)
  local priority, _, rid, list = find_head(H)
  if not rid then return end
  local record = record_at(rid) or damaged(RECORDS .. floor(rid / BLOCK), 'a queued record is missing')
  local own, _, at = parse_record(rid, record, list and tonumber(list))
  local header, rest = header_of(rid, record, at)
  found[#found + 1] = {H.name, ready_at, text(H.precedence), text(own or priority), header, rest}
end

if limit > 0 then
  for _, member in ipairs(call('ZRANGE', READY, 0, limit - 1)) do look(load_host(sub(member, 17)), '') end
  local left = limit - #found
  local resting = left > 0 and call('ZRANGE', REST, 0, left - 1, 'WITHSCORES') or {}
  for i = 1, #resting, 2 do look(load_host(resting[i]), resting[i + 1]) end
end
save_all()
return found
