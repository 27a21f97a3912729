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

local MAX_LEASED = 100
local now, limit, expiry, worker = number(ARGV[1], 'now'), math.min(tonumber(ARGV[2]), MAX_LEASED), ARGV[3], ARGV[4]

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

local function describe(H, rid, list, token)
  local record = record_at(rid) or damaged(RECORDS .. floor(rid / BLOCK), 'a queued record is missing')
  local priority, _, at = parse_record(rid, record, list and tonumber(list))
  local header, rest = header_of(rid, record, at)
  local attempts, expired = failures_of(rid)
  local mark = (attempts > 0 or expired > 0) and '+ ' or ' '
  local lease = text(rid) .. mark .. worker .. ' ' .. (list or '0') .. ' ' .. format('%d', now) .. ' ' .. H.name
  call('HSET', LEASES, token, lease)
  call('ZADD', EXPIRY, expiry, token)
  return {token, attempts + 1, H.name, text(priority), header, rest, H.pages, H.targets, H.version}
end

take_back_and_wake(now, tonumber(ARGV[5]), tonumber(ARGV[6]))
if M.paused ~= 0 then limit = 0 end
if ARGV[8] ~= '' then limit = math.min(limit, number(ARGV[8], 'budget') - M.pages - call('HLEN', LEASES)) end
local leases = {}
local members = limit > 0 and call('ZRANGE', READY, 0, limit - 1) or {}
for _, member in ipairs(members) do
  local H = load_host(sub(member, 17))
  if H.leased or not H.head_seq then damaged(HOST .. H.name, 'ready, but leased or empty') end
  local rid, list = take(H)
  if rid then leases[#leases + 1] = describe(H, rid, list, format('%.0f', ARGV[7] + #leases)) end
end
save_all()
return leases
