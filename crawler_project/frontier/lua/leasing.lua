-- The best entries of ready hosts, leased: what lease.lua and exchange.lua have in common.

local MAX_LEASED = 100

-- Take the best record of a host that is ready out of its queue; nothing when the head was outdated.
local function take(H)
  local _, _, rid, list, is_stale, member = find_head(H)
  if not rid then damaged(QUEUE .. H.name, 'a ready host has no URLs') end
  if is_stale then
    renew_head(H)
    return nil
  end
  if member then
    call('ZREM', BY_PRIORITY .. H.name, member)
    call('ZREM', BY_SEQ .. H.name, member)
  else
    call('LPOP', QUEUE .. H.name .. ':' .. list)
  end
  M.queued = M.queued - 1
  H.leased = rid
  return rid, list
end

-- A record as the client reads it: host, priority, header, rest.
local function describe(H, rid, list)
  local record = record_at(rid) or damaged(RECORDS .. floor(rid / BLOCK), 'a queued record is missing')
  local priority, _, at = parse_record(rid, record, list and tonumber(list))
  local header, rest = header_of(rid, record, at)
  return H.name, text(priority), header, rest
end

-- Write the lease of a record that was taken, and describe it as lease.lua says.
local function write_lease(H, rid, list, token, now, expiry, worker)
  local name, priority, header, rest = describe(H, rid, list)
  local attempts, expired = failures_of(rid)
  local mark = (attempts > 0 or expired > 0) and '+ ' or ' '
  local lease = text(rid) .. mark .. worker .. ' ' .. (list or '0') .. ' ' .. format('%d', now) .. ' ' .. name
  call('HSET', LEASES, token, lease)
  call('ZADD', EXPIRY, expiry, token)
  return {token, attempts + 1, name, priority, header, rest, H.pages, H.targets, H.version}
end

-- How many may be leased: as many as are wanted, none while the crawl is paused, no more than the budget has left.
local function room_for(limit, budget)
  if M.paused ~= 0 then return 0 end
  limit = math.min(limit, MAX_LEASED)
  if budget ~= '' then limit = math.min(limit, number(budget, 'budget') - M.pages - call('HLEN', LEASES)) end
  return math.max(limit, 0)
end

local function load_ready(member)
  local H = load_host(sub(member, 17))
  if H.leased or not H.head_seq then damaged(HOST .. H.name, 'ready, but leased or empty') end
  return H
end
