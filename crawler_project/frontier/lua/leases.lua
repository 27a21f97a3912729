-- Leases: taken out of the books, given back, taken back from workers that died.

local MAX_WOKEN, MAX_RECLAIMED = 500, 16

-- Take a lease out of the books; the host (no longer leased), the record's id, its priority and whether anything is
-- kept of earlier failures, or nothing.
local function strike(token)
  local lease = call('HGET', LEASES, token)
  if not lease then return nil end
  local rid, has_failed, priority, name = string.match(lease, '^(%d+)(%+?) %S+ (%S+) %S+ (.*)$')
  if not rid or not tonumber(priority) then damaged(LEASES, 'a lease') end
  local H = load_host(name)
  call('HDEL', LEASES, token)
  call('ZREM', EXPIRY, token)
  H.leased = nil
  return H, tonumber(rid), priority, has_failed == '+'
end

-- Let the host rest until `seconds` from now, at least until what was set before.
local function end_lease(H, now, seconds)
  H.ready_at, H.is_rested = math.max(H.ready_at or now, now + seconds), true
  renew_head(H)
end

local function delay_of(H, delay)
  return H.delay and number(H.delay, HOST .. H.name) or delay
end

-- What failed before: attempts, expired leases, reasons.
local function failures_of(rid)
  local value = call('HGET', ATTEMPTS, rid)
  if not value then return 0, 0, '' end
  local attempts, expired, reasons = string.match(value, '^(%d+) (%d+) (.*)$')
  if not attempts then damaged(ATTEMPTS, 'field ' .. rid) end
  return tonumber(attempts), tonumber(expired), reasons
end

local function keep_failures(rid, attempts, expired, reasons)
  call('HSET', ATTEMPTS, rid, format('%d %d %s', attempts, expired, sub(reasons, -1000)))
end

local function bury(H, rid, record, priority, reasons)
  local own, seq, at = parse_record(rid, record, tonumber(priority))
  write_record(rid, char(BURIED) .. pack('>dd', own, seq) .. sub(record, at))
  call('HSET', DEAD, rid, H.name .. '\n' .. reasons)
  call('HDEL', ATTEMPTS, rid)
  M.dead = M.dead + 1
end

local function append_reason(reasons, reason)
  return reasons == '' and reason or reasons .. '\n' .. reason
end

-- Give a leased URL back: queued, or dropped with its host. True if queued.
local function give_back(H, rid, priority)
  local record = record_at(rid) or damaged(RECORDS .. floor(rid / BLOCK), 'a leased record is missing')
  if H.discarded then
    drop_record(H, rid, record)
    return false
  end
  put_back(H, rid, record, priority)
  return true
end

-- Leases whose worker was not heard of in time, at most `limit`. A lease that expires too often is buried:
-- its page may be what kills the workers.
local function reclaim(now, limit, delay, max_expired)
  local tokens = call('ZRANGEBYSCORE', EXPIRY, '-inf', text(now), 'LIMIT', 0, limit)
  for _, token in ipairs(tokens) do
    local H, rid, priority = strike(token)
    if H then
      local attempts, expired, reasons = failures_of(rid)
      expired = expired + 1
      reasons = append_reason(reasons, 'lease expired')
      if expired >= max_expired and not H.discarded then
        bury(H, rid, record_at(rid) or damaged(RECORDS .. floor(rid / BLOCK), 'a leased record is missing'), priority,
          reasons)
      else
        keep_failures(rid, attempts, expired, reasons)
        give_back(H, rid, priority)
      end
      end_lease(H, now, delay_of(H, delay))
    else
      call('ZREM', EXPIRY, token)
    end
  end
  return #tokens
end

-- Make hosts ready whose rest is over, at most 500.
local function wake(now)
  local names = call('ZRANGEBYSCORE', REST, '-inf', text(now), 'LIMIT', 0, MAX_WOKEN)
  for _, name in ipairs(names) do
    local v = call('HMGET', HOST .. name, 'k', 'e')
    local p, s = string.match(v[1] or '', '^(%S+) (%S+)$')
    if not p then damaged(HOST .. name, 'a waiting host has no head') end
    local precedence, offset = '0', 0
    if v[2] then
      precedence, offset = string.match(v[2], '^%S+ %S+ (%S+) .* (%S+)$')
      if not precedence then damaged(HOST .. name, 'field e') end
    end
    local key = HOST .. name
    call('ZADD', READY, precedence, ready_member(number(p, key) + number(offset, key), number(s, key), name))
  end
  if #names > 0 then call('ZREM', REST, unpack(names)) end
end

-- What every look for work begins with: a few expired leases go back, and hosts wake.
local function take_back_and_wake(now, delay, max_expired)
  if reclaim(now, MAX_RECLAIMED, delay, max_expired) > 0 then
    for _, H in ipairs(touched) do save_host(H) end
    hosts, touched = {}, {}
  end
  wake(now)
end
