-- exchange: put leased URLs back at worse priorities, and lease the best there are by then; on the way, URLs that the
-- worker has scored already get their worse priority when their turn comes, without a lease.
--
-- KEYS[1]  {…}:m
-- ARGV     1 to 8 as lease; 9: how many URLs of a leased host to look at, and how many other hosts; 10: how many leases
--          go back, of each: token, priority, hash of the URL; then of each URL that was scored before its turn: record,
--          priority, hash
-- Result   {leases (as lease), heads, how many went back, how many got their priority on the way}; heads are the best
--          URLs of the leased hosts and of those that are ready: {record, host, priority, header, record's text}
-- Atomic   all of it. The order is that of releases and leases one by one: a URL scored before its turn is passed over only
--          if it is the best of all, and only once.
-- Bounded  by the number of arguments; as lease.

local MAX_LOOKED_AT = 10
local now = number(ARGV[1], 'now')

local function begin_anew()
  for _, H in ipairs(touched) do save_host(H) end
  hosts, touched = {}, {}
end

-- The host was ready when it was leased and nothing was fetched: it is ready again.
local function put_lease_back(token, priority, hash)
  local H, rid, list = strike(token)
  if not H then return 0 end
  set_priority(rid, list, number(priority, 'priority'), hash)
  give_back(H, rid, list)
  if H.ready_at and H.ready_at > now then H.is_rested = true else H.ready_at = nil end
  renew_head(H)
  begin_anew()
  return 1
end

local function read_scored(at)
  local scored = {}
  for i = at, #ARGV, 3 do scored[ARGV[i]] = {priority = number(ARGV[i + 1], 'priority'), hash = ARGV[i + 2]} end
  return scored
end

-- Give the best URL of a host its worse priority if it was scored; once only.
local function demote(H, scored)
  local _, _, rid, list, is_stale, member = find_head(H)
  local own = rid and scored[text(rid)]
  if not own or is_stale or H.override then return false end
  scored[text(rid)] = nil
  local seq = set_priority(rid, list, own.priority, own.hash)
  if member then
    call('ZADD', BY_PRIORITY .. H.name, text(own.priority), member)
  else
    call('LPOP', QUEUE .. H.name .. ':' .. list)
    insert_out_of_order(H, own.priority, seq, rid)
  end
  renew_head(H)
  begin_anew()
  return true
end

-- The best host, when all that comes up before and was scored has got its priority; how many did.
local function best_host(scored)
  local count = 0
  while true do
    local member = call('ZRANGE', READY, 0, 0)[1]
    if not member then return nil, count end
    local H = load_ready(member)
    if not demote(H, scored) then return H, count end
    count = count + 1
  end
end

-- The best URLs of a host, about in their order: those of its best list, and those that are out of order.
local function look_at(H, count, heads)
  if H.override then return end
  local _, list = first_of_best_list(H)
  local listed = list and call('LRANGE', QUEUE .. H.name .. ':' .. list, 0, count - 1) or {}
  local others = H.unordered and call('ZRANGE', BY_PRIORITY .. H.name, 0, count - 1, 'WITHSCORES') or {}
  local i, j = 1, 1
  for _ = 1, count do
    local member, priority = others[j], tonumber(others[j + 1])
    if listed[i] and not (member and priority < number(list, HOST .. H.name)) then
      local record = record_at(number(listed[i], QUEUE .. H.name))
      if record and byte(record, 1) == LISTED then heads[#heads + 1] = {listed[i], describe(H, tonumber(listed[i]), list)} end
      i = i + 1
    elseif member then
      local rid = string.match(member, ':(%d+)$') or damaged(BY_PRIORITY .. H.name, 'a member')
      heads[#heads + 1] = {rid, describe(H, tonumber(rid))}
      j = j + 2
    end
  end
end

local function look(count, leases)
  local heads = {}
  if count == 0 or #leases == 0 then return heads end
  for i = 1, math.min(#leases, count) do look_at(load_host(leases[i][3]), count, heads) end
  for _, member in ipairs(call('ZRANGE', READY, 0, count - 1)) do look_at(load_ready(member), 1, heads) end
  return heads
end

local back, demoted, leases = 0, 0, {}
local scored_at = 11 + 3 * tonumber(ARGV[10])
for i = 11, scored_at - 1, 3 do back = back + put_lease_back(ARGV[i], ARGV[i + 1], ARGV[i + 2]) end
take_back_and_wake(now, tonumber(ARGV[5]), tonumber(ARGV[6]))
local limit, scored = room_for(tonumber(ARGV[2]), ARGV[8]), read_scored(scored_at)
for _ = 1, limit do
  local H, count = best_host(scored)
  demoted = demoted + count
  if not H then break end
  local rid, list = take(H)
  if rid then leases[#leases + 1] = write_lease(H, rid, list, format('%.0f', ARGV[7] + #leases), now, ARGV[3], ARGV[4]) end
  begin_anew()
end
local heads = look(math.min(tonumber(ARGV[9]), MAX_LOOKED_AT), leases)
save_all()
return {leases, heads, back, demoted}
