-- exchange: put leased URLs back at worse priorities, and lease the best there are by then; on the way, URLs that the
-- worker has scored already get their worse priority when their turn comes, without a lease.
--
-- KEYS[1]  {…}:m
-- ARGV     1 to 8 as lease; 9: how many hosts to look at; 10: how many leases go back, of each: token, priority, hash of
--          the URL; then of each URL that was scored before its turn: host, record, priority, hash of the URL
-- Result   {leases (as lease), heads, how many went back, how many got their priority on the way}; a head is the best URL
--          of a host that is ready, in their order: {record, host, priority, header, record's text}
-- Atomic   all of it. The order is that of releases and leases one by one: a URL scored before its turn is passed over only
--          if it is the best of all, and only once.
-- Bounded  by the number of arguments; as lease.

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
  for i = at, #ARGV, 4 do
    scored[ARGV[i]] = {rid = number(ARGV[i + 1], 'record'), priority = number(ARGV[i + 2], 'priority'), hash = ARGV[i + 3]}
  end
  return scored
end

-- Give the best URL of a host its worse priority if it is the one that was scored.
local function demote(H, scored)
  local _, _, rid, list, is_stale, member = find_head(H)
  if rid ~= scored.rid or is_stale or H.override then return false end
  local seq = set_priority(rid, list, scored.priority, scored.hash)
  if member then
    call('ZADD', BY_PRIORITY .. H.name, text(scored.priority), member)
  else
    call('LPOP', QUEUE .. H.name .. ':' .. list)
    insert_out_of_order(H, scored.priority, seq, rid)
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
    local own = scored[H.name]
    scored[H.name] = nil
    if not own or not demote(H, own) then return H, count end
    count = count + 1
  end
end

local function look(count)
  local heads = {}
  for _, member in ipairs(count > 0 and call('ZRANGE', READY, 0, count - 1) or {}) do
    local H = load_ready(member)
    local _, _, rid, list, is_stale = find_head(H)
    if rid and not is_stale and not H.override then heads[#heads + 1] = {text(rid), describe(H, rid, list)} end
  end
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
local heads = look(#leases > 0 and math.min(tonumber(ARGV[9]), MAX_LEASED) or 0)
save_all()
return {leases, heads, back, demoted}
