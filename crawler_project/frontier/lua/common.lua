-- Functions that the operations share; put in front of each of them when it is loaded.
--
-- KEYS[1] is always the crawl's `{…}:m`; every other key starts with the same `{…}:`, so all of them
-- are in one slot of a Redis Cluster. A script is atomic: nobody sees half of it.
-- Numbers are compared as numbers, never as strings: Lua compares strings by locale.

local call, byte, char, sub, find = redis.call, string.byte, string.char, string.sub, string.find
local pack, unpack_struct, format, floor = struct.pack, struct.unpack, string.format, math.floor
local P = sub(KEYS[1], 1, -2)
local SEEN, INDEX, RECORDS, HOST, QUEUE = P .. 's:', P .. 'x:', P .. 'r:', P .. 'h:', P .. 'q:'
local BY_PRIORITY, BY_SEQ = P .. 'z:', P .. 'y:'
local READY, REST, LEASES, EXPIRY, ATTEMPTS, DEAD = P .. 'ready', P .. 'rest', P .. 'l', P .. 'le', P .. 'a', P .. 'dead'

local BLOCK = 64            -- places of a block of records; the first holds how many of them are no entries (any more)
local MAX_LISTS = 16        -- priorities of a host that have a list of their own
local MAX_STALE = 200       -- outdated places that one call skips in a list
local MAX_PER_CALL = 1000   -- arguments of one command
local URLS_PER_BUCKET = 190 -- twice that (an unsplit bucket) stays below Redis' 512 for a compact integer set
local MAX_BACK_OFF = 86400
local LISTED, OUT_OF_ORDER, BURIED = 1, 255, 254

local function damaged(key, what)
  error('DAMAGED ' .. key .. ': ' .. what, 0)
end

local function number(value, key)
  local result = tonumber(value)
  if not result or result ~= result then damaged(key, 'not a number') end
  return result
end

local function text(value)
  if value % 1 == 0 and value < 1e14 and value > -1e14 then return tostring(value) end
  return format('%.17g', value)
end

-- Meta: the counters of the crawl ---------------------------------------------------------------

local META = {'rid', 'seen', 'queued', 'dead', 'buckets', 'garbage', 'dropped', 'worst', 'distance'}
local M, stored_meta = {}, {}
do
  local values = call('HMGET', KEYS[1], unpack(META))
  for i, field in ipairs(META) do
    M[field] = number(values[i] or damaged(KEYS[1], 'field ' .. field .. ' is missing'), KEYS[1])
    stored_meta[field] = M[field]
  end
  if M.buckets < 1 or M.buckets % 1 ~= 0 or M.rid % 1 ~= 0 then damaged(KEYS[1], 'impossible counters') end
end

local function save_meta()
  local changed = {}
  for _, field in ipairs(META) do
    if M[field] ~= stored_meta[field] then
      changed[#changed + 1] = field
      changed[#changed + 1] = text(M[field])
    end
  end
  if #changed > 0 then call('HSET', KEYS[1], unpack(changed)) end
end

-- Records: entries as the client wrote them, in lists of 63 -------------------------------------
-- Record: state (1 in the list of its priority, 255 out of order, 254 buried), [priority and seq unless 1],
-- offset back to its header (0: the header is here), what the client wrote.

local function record_at(rid)
  local record = call('LINDEX', RECORDS .. floor(rid / BLOCK), rid % BLOCK)
  if record == '' then return false end
  return record
end

local function write_record(rid, record)
  call('LSET', RECORDS .. floor(rid / BLOCK), rid % BLOCK, record)
end

local function count_unused(key, more)
  local unused = number(call('LINDEX', key, 0), key) + more
  if unused >= BLOCK - 1 then call('DEL', key) else call('LSET', key, 0, unused) end
end

local function remove_record(rid)
  if record_at(rid) then
    write_record(rid, '')
    count_unused(RECORDS .. floor(rid / BLOCK), 1)
  end
end

-- Priority and seq of a record, and where the rest of it starts. A listed one does not say its priority.
local function parse_record(rid, record, priority)
  if byte(record, 1) == LISTED then return priority, rid, 2 end
  if #record < 18 then damaged(RECORDS .. floor(rid / BLOCK), 'a record is too short') end
  local own, seq = unpack_struct('>dd', record, 2)
  return own, seq, 18
end

local function header_of(rid, record, at)
  local offset = byte(record, at)
  if not offset then damaged(RECORDS .. floor(rid / BLOCK), 'a record is too short') end
  if offset > 0 then
    local header = call('LINDEX', RECORDS .. floor(rid / BLOCK), rid % BLOCK - offset)
    if not header or rid % BLOCK - offset < 1 then damaged(RECORDS .. floor(rid / BLOCK), 'a header is missing') end
    return header, sub(record, at + 1)
  end
  local size = unpack_struct('>H', record, at + 1)
  return sub(record, at + 3, at + 2 + size), sub(record, at + 3 + size)
end

local function member_of(seq, rid)
  return format('%015d:%d', seq, rid)
end

-- Hosts -------------------------------------------------------------------------------------------
-- Fields of a host: c its priorities with a list each, k head "priority seq", l leased record, r ready at,
-- e rare things "discarded override precedence unordered dropped garbage stale".

local hosts, touched = {}, {}

local function load_host(name)
  local H = hosts[name]
  if H then return H end
  local key = HOST .. name
  local v = call('HMGET', key, 'c', 'k', 'l', 'r', 'e')
  local c, k, l, r, e = v[1], v[2], v[3], v[4], v[5]
  H = {name = name, c = c, precedence = 0, garbage = 0, stale = 0,
       stored_c = c, stored_k = k, stored_l = l, stored_r = r, stored_e = e}
  if l then H.leased = number(l, key) end
  if k then
    local space = find(k, ' ', 1, true) or damaged(key, 'field k')
    H.head_priority, H.head_seq = number(sub(k, 1, space - 1), key), number(sub(k, space + 1), key)
  end
  if r then H.ready_at = number(r, key) end
  if e then
    local discarded, override, precedence, unordered, dropped, garbage, stale =
      string.match(e, '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$')
    if not discarded then damaged(key, 'field e') end
    H.discarded, H.unordered, H.dropped = discarded == '1', unordered == '1', dropped == '1'
    if override ~= '-' then H.override = number(override, key) end
    H.precedence, H.garbage, H.stale = number(precedence, key), number(garbage, key), number(stale, key)
  end
  H.was_leased, H.was_precedence = H.leased, H.precedence
  H.was_priority, H.was_seq = H.head_priority, H.head_seq
  hosts[name] = H
  touched[#touched + 1] = H
  return H
end

-- The priorities of a host that have a list each.
local function priorities_of(H)
  local priorities = {}
  for priority in string.gmatch(H.c or '', '%S+') do
    number(priority, HOST .. H.name)
    priorities[#priorities + 1] = priority
  end
  return priorities
end

-- Note that a priority has a list; false when all lists are taken.
local function note_list(H, priority)
  if H.c == priority then return true end
  if not H.c then
    H.c = priority
    return true
  end
  local count = 0
  for own in string.gmatch(H.c, '%S+') do
    if own == priority then return true end
    count = count + 1
  end
  if count >= MAX_LISTS then return false end
  H.c = H.c .. ' ' .. priority
  return true
end

-- A double as 8 bytes that sort as the numbers do.
local function sortable(value)
  local bytes = pack('>d', value + 0)
  if value >= 0 then return char(byte(bytes, 1) + 128) .. sub(bytes, 2) end
  return (string.gsub(bytes, '.', function(c) return char(255 - byte(c)) end))
end

local function ready_member(priority, seq, name)
  return sortable(priority) .. pack('>d', seq) .. name
end

local function is_before(p, s, q, t)
  return p < q or (p == q and s < t)
end

local function head_may_be(H, priority, seq)
  if H.leased then return end
  priority = H.override or priority
  if not H.head_seq or is_before(priority, seq, H.head_priority, H.head_seq) then
    H.head_priority, H.head_seq = priority, seq
  end
end

-- A place in a list counts if its record is there and still listed.
local function first_of_list(H, priority)
  local key = QUEUE .. H.name .. ':' .. priority
  local rid = call('LINDEX', key, 0)
  local steps = 0
  while rid and H.unordered do
    local record = record_at(number(rid, key))
    if record and byte(record, 1) == LISTED then break end
    if steps == MAX_STALE then return tonumber(rid), true end
    call('LPOP', key)
    H.stale = H.stale - 1
    rid = call('LINDEX', key, 0)
    steps = steps + 1
  end
  return rid and number(rid, key)
end

-- The best queued record of a host: priority, seq, rid, priority of its list, whether it is outdated, member.
-- With an override all priorities are equal, and the first discovered is best.
local function find_head(H)
  local p, s, rid, list, is_stale, member
  for own in string.gmatch(H.c or '', '%S+') do
    local first, stale = first_of_list(H, own)
    local priority = H.override or number(own, HOST .. H.name)
    if first and (not p or is_before(priority, first, p, s)) then
      p, s, rid, list, is_stale = priority, first, first, own, stale
    end
  end
  if H.unordered then
    local key = (H.override and BY_SEQ or BY_PRIORITY) .. H.name
    local found = call('ZRANGE', key, 0, 0, 'WITHSCORES')
    if found[1] then
      local seq, id = string.match(found[1], '^(%d+):(%d+)$')
      if not id then damaged(key, 'a member') end
      local priority = H.override or number(found[2], key)
      if not p or is_before(priority, tonumber(seq), p, s) then
        p, s, rid, list, is_stale, member = priority, tonumber(seq), tonumber(id), nil, false, found[1]
      end
    end
  end
  return p, s, rid, list, is_stale, member
end

local function insert_out_of_order(H, priority, seq, rid)
  local member = member_of(seq, rid)
  call('ZADD', BY_PRIORITY .. H.name, text(priority), member)
  call('ZADD', BY_SEQ .. H.name, text(seq), member)
  H.unordered, H.is_rare = true, true
  head_may_be(H, priority, seq)
end

-- Queue a record again that was taken from the front of the list of its priority.
local function put_back(H, rid, record, priority)
  if byte(record, 1) == OUT_OF_ORDER then
    local own, seq = parse_record(rid, record)
    insert_out_of_order(H, own, seq, rid)
  else
    call('LPUSH', QUEUE .. H.name .. ':' .. priority, rid)
  end
  M.queued = M.queued + 1
end

local function new_garbage(H, kind, from)
  M.garbage = M.garbage + 1
  local id = text(M.garbage)
  if call('EXISTS', from) == 1 then
    call('RENAME', from, P .. 'g:' .. id)
    call('RPUSH', P .. 'garbage', id .. ' ' .. kind .. ' ' .. H.name)
    H.garbage, H.is_rare = H.garbage + 1, true
  end
end

-- Give up one record that is in no list (it was leased).
local function drop_record(H, rid, record)
  call('RPUSH', P .. 'g:new', rid)
  new_garbage(H, 'one', P .. 'g:new')
  if not H.dropped then
    H.dropped, H.is_rare = true, true
    M.dropped = M.dropped + 1
  end
end

-- Give up all that is queued on a host, however much that is; sweep.lua clears up behind it.
local function drop_all(H)
  local count = -H.stale
  for _, priority in ipairs(priorities_of(H)) do
    local key = QUEUE .. H.name .. ':' .. priority
    count = count + call('LLEN', key)
    new_garbage(H, 'listed', key)
  end
  if H.unordered then
    count = count + call('ZCARD', BY_SEQ .. H.name)
    new_garbage(H, 'unordered', BY_SEQ .. H.name)
    call('UNLINK', BY_PRIORITY .. H.name)
  end
  if not H.dropped then
    H.dropped, H.is_rare = true, true
    M.dropped = M.dropped + 1
  end
  M.queued = M.queued - count
  H.stale, H.head_priority, H.head_seq = 0, nil, nil
  if not H.leased then H.c = nil end
end

local function renew_head(H)
  H.head_priority, H.head_seq = find_head(H)
  if not H.head_seq then H.c = nil end
end

local function judge(H, precedence, discarded, override)
  H.precedence, H.is_rare = precedence, true
  if discarded and not H.discarded then drop_all(H) end
  H.discarded = discarded
  if override ~= H.override then
    H.override = override
    if H.head_seq then renew_head(H) end
  end
end

-- Take a host's place among the ready or resting ones, and store what changed.
local function place_host(H)
  if H.leased then
    H.head_priority, H.head_seq = nil, nil
    if not H.was_leased and H.was_seq then
      call('ZREM', READY, ready_member(H.was_priority, H.was_seq, H.name))
      call('ZREM', REST, H.name)
    end
    return
  end
  local p, s, q, t = H.head_priority, H.head_seq, H.was_priority, H.was_seq
  if p == q and s == t and H.precedence == H.was_precedence then return end
  local is_resting = H.ready_at
  if t then
    is_resting = call('ZREM', READY, ready_member(q, t, H.name)) == 0
    if not s then call('ZREM', REST, H.name) end
  end
  if s then
    if is_resting then
      call('ZADD', REST, H.ready_at and text(H.ready_at) or damaged(HOST .. H.name, 'no time to be ready'), H.name)
    else
      call('ZADD', READY, text(H.precedence), ready_member(p, s, H.name))
    end
  end
end

local function rare_field(H)
  if not (H.discarded or H.override or H.unordered or H.dropped or H.precedence ~= 0 or H.garbage > 0) then
    return false
  end
  return format('%d %s %s %d %d %d %d', H.discarded and 1 or 0, H.override and text(H.override) or '-',
    text(H.precedence), H.unordered and 1 or 0, H.dropped and 1 or 0, H.garbage, H.stale)
end

local function save_host(H)
  place_host(H)
  local set, gone = {}, nil
  local function store(field, before, value)
    if value and value ~= before then
      set[#set + 1] = field
      set[#set + 1] = value
    elseif before and not value then
      gone = gone or {}
      gone[#gone + 1] = field
    end
  end
  if H.c ~= H.stored_c then store('c', H.stored_c, H.c) end
  if H.head_seq ~= H.was_seq or H.head_priority ~= H.was_priority then
    store('k', H.stored_k, H.head_seq and text(H.head_priority) .. ' ' .. text(H.head_seq))
  end
  if H.leased ~= H.was_leased then store('l', H.stored_l, H.leased and text(H.leased)) end
  if H.is_rested then store('r', H.stored_r, text(H.ready_at)) end
  if H.stored_e or H.is_rare then store('e', H.stored_e, rare_field(H)) end
  if #set > 0 then call('HSET', HOST .. H.name, unpack(set)) end
  if gone then call('HDEL', HOST .. H.name, unpack(gone)) end
end

local function save_all()
  for _, H in ipairs(touched) do save_host(H) end
  save_meta()
end

-- Leases --------------------------------------------------------------------------------------------

-- Take a lease out of the books; the host (no longer leased), the record's id and its priority, or nothing.
local function strike(token)
  local lease = call('HGET', LEASES, token)
  if not lease then return nil end
  local rid, priority, name = string.match(lease, '^(%d+) %S+ (%S+) (.*)$')
  if not rid or not tonumber(priority) then damaged(LEASES, 'a lease') end
  local H = load_host(name)
  call('HDEL', LEASES, token)
  call('ZREM', EXPIRY, token)
  H.leased = nil
  return H, tonumber(rid), priority
end

-- Let the host rest until `seconds` from now, at least until what was set before.
local function end_lease(H, now, seconds)
  H.ready_at, H.is_rested = math.max(H.ready_at or now, now + seconds), true
  renew_head(H)
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
      local own = call('HGET', HOST .. H.name, 'd')
      end_lease(H, now, own and number(own, HOST .. H.name) or delay)
    else
      call('ZREM', EXPIRY, token)
    end
  end
  return #tokens
end

-- The first write of a script is what a full Redis refuses; later ones pass. So ask before anything is changed,
-- with a write that changes nothing.
local function refuse_if_full()
  call('HSETNX', KEYS[1], 'layout', 0)
end

-- Discovery -----------------------------------------------------------------------------------------
-- The seen-set is a linear hash table of integer sets: one more bucket for every 190 URLs, made by
-- splitting the bucket whose turn it is (Litwin 1980), so that no set is ever large or rebuilt.

local function bucket_of(hash)
  local width = 1
  while width * 2 <= M.buckets do width = width * 2 end
  local v = number(sub(hash, -9), 'hash') % (width * 2)
  if v >= M.buckets then v = v - width end
  return v
end

local function index_key(bucket, hash)
  return INDEX .. bucket .. ':' .. (tonumber(sub(hash, -10, -10)) or 0) % 4
end

local function add_members(key, members)
  for i = 1, #members, MAX_PER_CALL do
    call('SADD', key, unpack(members, i, math.min(i + MAX_PER_CALL - 1, #members)))
  end
end

local function split_bucket()
  local width = 1
  while width * 2 <= M.buckets do width = width * 2 end
  local from, to = M.buckets - width, M.buckets
  local function moves(hash)
    return number(sub(hash, -9), SEEN .. from) % (width * 2) ~= from
  end
  local kept, moved = {}, {}
  for _, hash in ipairs(call('SMEMBERS', SEEN .. from)) do
    local list = moves(hash) and moved or kept
    list[#list + 1] = hash
  end
  -- written anew in sorted order: each member is appended, which is faster than taking half of them out
  call('DEL', SEEN .. from)
  add_members(SEEN .. from, kept)
  add_members(SEEN .. to, moved)
  for part = 0, 3 do
    local key = INDEX .. from .. ':' .. part
    local fields = call('HGETALL', key)
    for i = 1, #fields, 2 do
      if moves(fields[i]) then
        call('HSET', INDEX .. to .. ':' .. part, fields[i], fields[i + 1])
        call('HDEL', key, fields[i])
      end
    end
  end
  M.buckets = M.buckets + 1
end

-- Add the entries that ARGV holds from `at` on: best priority, compare distances (1 or 0), numbers of hosts,
-- priorities, headers and entries; then these, an entry as hash and record. A record starts with the numbers
-- of its host, priority and header. Result: added, improved, and which entries wait for a sweep.
local function add_entries(at)
  local best, compare = number(ARGV[at], 'ARGV'), ARGV[at + 1] == '1'
  local host_at = at + 6
  local priority_at = host_at + ARGV[at + 2]
  local header_at = priority_at + ARGV[at + 3]
  local entry_at = header_at + ARGV[at + 4]
  local last = entry_at + 2 * (ARGV[at + 5] - 1)
  local buckets, width = M.buckets, 1
  while width * 2 <= buckets do width = width * 2 end
  local width2 = width * 2
  local rid = M.rid
  local slot = rid % BLOCK -- of the next record; 0: a new block begins
  local records, size, is_new_block, unused = {}, 0, false, 0
  local header_rid = {}
  local added, improved, deferred = 0, 0, {}
  local lists = {}

  local function flush()
    if size == 0 then return end
    local key = RECORDS .. floor((rid - 1) / BLOCK)
    if is_new_block then records[1] = tostring(unused) end
    call('RPUSH', key, unpack(records))
    if unused > 0 and not is_new_block then count_unused(key, unused) end
    records, size, is_new_block, unused = {}, 0, false, 0
  end

  local function push(record)
    if slot == 0 then
      flush()
      records[1], size, is_new_block = '0', 1, true
      rid, slot = rid + 1, 1
      header_rid = {}
    end
    size = size + 1
    records[size] = record
    rid, slot = rid + 1, (slot + 1) % BLOCK
    return rid - 1
  end

  -- A header is in the same block as its entries.
  local function push_header(header)
    if slot == BLOCK - 1 then
      push('')
      unused = unused + 1
    end
    local id = push(ARGV[header_at + header - 1])
    unused = unused + 1
    header_rid[header] = id
    return id
  end

  local function push_entry(prefix, header, record)
    local id = slot ~= 0 and header_rid[header] or push_header(header)
    return push(prefix .. char(rid - id) .. sub(record, 4))
  end

  local function take_back_entry()
    records[size] = nil
    size, rid, slot = size - 1, rid - 1, (slot - 1) % BLOCK
  end

  local function distance_of(header)
    return number(string.match(header, '^%-?%d+'), RECORDS)
  end

  -- Whether any link could be better than this entry; only then it must be found again.
  local function note_index(bucket, hash, id, priority, header)
    if priority > best or (compare and distance_of(header) > 1) then
      call('HSET', index_key(bucket, hash), hash, id .. ' ' .. text(priority))
      if priority > M.worst then M.worst, M.distance = priority, 0 end
      if compare and priority == M.worst then M.distance = math.max(M.distance, distance_of(header)) end
    end
  end

  local function queue_out_of_order(H, priority, seq, header, record)
    local id = push_entry(char(OUT_OF_ORDER) .. pack('>dd', priority, seq or 0), header, record)
    if not seq then
      seq = id
      records[size] = char(OUT_OF_ORDER) .. pack('>dd', priority, seq) .. sub(records[size], 18)
    end
    insert_out_of_order(H, priority, seq, id)
    return id
  end

  -- Queue a new URL in the list of its priority; false if its host is discarded.
  -- A list that was not empty is noted with its host already, and a new URL at its end is not the host's best:
  -- then nothing needs to be known of the host.
  local function queue(name, priority, header, record)
    local id = push_entry(char(LISTED), header, record)
    local key = QUEUE .. name .. ':' .. priority
    if call('RPUSH', key, id) > 1 then return id, {key} end
    local H = load_host(name)
    if not H.discarded and note_list(H, priority) then
      head_may_be(H, tonumber(priority), id)
      return id, {key}
    end
    call('RPOP', key)
    take_back_entry()
    return not H.discarded and queue_out_of_order(H, tonumber(priority), nil, header, record)
  end

  -- R5: a queued URL takes a better (priority, distance), and its context with it; its seq stays.
  local function improve(H, hash, key, id, record, own, priority, header, blob)
    local _, seq, start = parse_record(id, record, own)
    if priority > own or (priority == own and not compare) then return end
    if priority == own and distance_of(header) >= distance_of((header_of(id, record, start))) then return end
    local rest = char(0) .. pack('>H', #header) .. header .. sub(blob, 4)
    if priority == own then
      write_record(id, sub(record, 1, start - 1) .. rest)
    else
      write_record(id, char(OUT_OF_ORDER) .. pack('>dd', priority, seq) .. rest)
      insert_out_of_order(H, priority, seq, id)
      call('HSET', key, hash, id .. ' ' .. text(priority))
      if byte(record, 1) == LISTED then
        H.stale = H.stale + 1
        first_of_list(H, text(own)) -- what is first in a list must count
      end
    end
    improved = improved + 1
  end

  local function meet_again(j, H, bucket, hash, blob, priority_text, header)
    if H.discarded then return end
    if H.garbage > 0 then
      deferred[#deferred + 1] = j
      return
    end
    local key = index_key(bucket, hash)
    local found = call('HGET', key, hash)
    if not found then return end
    local id_text, own_text = string.match(found, '^(%-?%d+) ?(.*)$')
    local id, priority = number(id_text, key), tonumber(priority_text)
    if id < 0 then
      call('HDEL', key, hash)
      id = queue_out_of_order(H, priority, -id, header, blob)
      added = added + 1
      note_index(bucket, hash, id, priority, ARGV[header_at + header - 1])
    elseif id ~= H.leased then
      local record = record_at(id)
      if record and byte(record, 1) ~= BURIED then
        improve(H, hash, key, id, record, number(own_text, key), priority, ARGV[header_at + header - 1], blob)
      end
    end
  end

  local j = 0
  for i = entry_at, last, 2 do
    local hash, blob = ARGV[i], ARGV[i + 1]
    local host, priority, header = byte(blob, 1, 3)
    local bucket = tonumber(sub(hash, -9)) % width2
    if bucket >= buckets then bucket = bucket - width end
    j = j + 1
    if call('SADD', SEEN .. bucket, hash) == 1 then
      local pair = host * 256 + priority
      local places, id = lists[pair], nil
      if places then
        id = push_entry(char(LISTED), header, blob)
        places[#places + 1] = id
      else
        id, lists[pair] = queue(ARGV[host_at + host - 1], ARGV[priority_at + priority - 1], header, blob)
      end
      if id then
        added = added + 1
        M.seen = M.seen + 1
        local own = tonumber(ARGV[priority_at + priority - 1])
        if own > best or compare then note_index(bucket, hash, id, own, ARGV[header_at + header - 1]) end
      else
        call('SREM', SEEN .. bucket, hash)
      end
    else
      local own = tonumber(ARGV[priority_at + priority - 1])
      if own < M.worst or (compare and own == M.worst) or M.dropped > 0 then
        local H = load_host(ARGV[host_at + host - 1])
        meet_again(j, H, bucket, hash, blob, ARGV[priority_at + priority - 1], header)
      end
    end
  end
  flush()
  for _, places in pairs(lists) do
    if #places > 1 then call('RPUSH', unpack(places)) end
  end
  M.rid = rid
  M.queued = M.queued + added
  for _ = 1, 4 do
    if M.seen > URLS_PER_BUCKET * M.buckets then split_bucket() end
  end
  return added, improved, deferred
end
