-- Functions that the operations share; put in front of each of them when it is loaded.
--
-- KEYS[1] is always the crawl's `{…}:m`; every other key starts with the same `{…}:`, so all of them
-- are in one slot of a Redis Cluster. A script is atomic: nobody sees half of it.
-- Numbers are compared as numbers, never as strings: Lua compares strings by locale.

local call, byte, char, sub = redis.call, string.byte, string.char, string.sub
local pack, unpack_struct, format, floor = struct.pack, struct.unpack, string.format, math.floor
local P = sub(KEYS[1], 1, -2)
local SEEN, INDEX, RECORDS, HOST, QUEUE = P .. 's:', P .. 'x:', P .. 'r:', P .. 'h:', P .. 'q:'
local BY_PRIORITY, BY_SEQ = P .. 'z:', P .. 'y:'
local READY, REST, LEASES, EXPIRY, ATTEMPTS, DEAD = P .. 'ready', P .. 'rest', P .. 'l', P .. 'le', P .. 'a', P .. 'dead'

local BLOCK = 64            -- places of a block of records; the first holds how many of them are no entries (any more)
local MAX_CLASSES = 16      -- priorities of a host that have a list of their own
local MAX_STALE = 200       -- outdated places that one call skips in a list
local MAX_PER_CALL = 1000   -- arguments of one command
local URLS_PER_BUCKET = 190 -- twice that (an unsplit bucket) stays below Redis' 512 for a compact integer set
local MAX_BACK_OFF = 86400
local OUT_OF_ORDER, BURIED = 255, 254

local function damaged(key, what)
  error('DAMAGED ' .. key .. ': ' .. what, 0)
end

local function number(value, key)
  local result = tonumber(value)
  if not result or result ~= result then damaged(key, 'not a number') end
  return result
end

local function text(value)
  return format('%.17g', value)
end

-- Meta: the counters of the crawl ---------------------------------------------------------------

local META = {'rid', 'seen', 'queued', 'dead', 'buckets', 'token', 'garbage', 'dropped', 'worst', 'distance'}
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
-- Record: class, [priority and seq if out of order or buried], offset back to its header (0: the
-- header is here), what the client wrote. Class: 1 to 16, 255 out of order, 254 buried.

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

-- Priority, seq, and where the rest of a record starts.
local function parse_record(H, rid, record)
  local class = byte(record, 1)
  if class >= BURIED then
    if #record < 18 then damaged(RECORDS .. floor(rid / BLOCK), 'a record is too short') end
    local priority, seq = unpack_struct('>dd', record, 2)
    return priority, seq, 18
  end
  local priority = H.priorities[class]
  if not priority then damaged(HOST .. H.name, 'a class of priority is missing') end
  return tonumber(priority), rid, 2
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
-- Fields of a host: n queued, c its priorities with a list each, k head "priority seq", l leased record,
-- r ready at, e rare things "discarded override precedence unordered dropped garbage".

local hosts, touched = {}, {}

local function load_host(name)
  local H = hosts[name]
  if H then return H end
  local key = HOST .. name
  local v = call('HMGET', key, 'n', 'c', 'k', 'l', 'r', 'e')
  H = {name = name, n = v[1] and number(v[1], key) or 0, stored_n = v[1], c = v[2] or '', k = v[3], l = v[4], r = v[5], e = v[6],
       places = {}, priorities = {}, classes = {}, precedence = 0, garbage = 0}
  for priority in string.gmatch(H.c, '%S+') do
    number(priority, key)
    H.priorities[#H.priorities + 1] = priority
    H.classes[priority] = #H.priorities
  end
  if H.k then
    local p, s = string.match(H.k, '^(%S+) (%S+)$')
    H.head_priority, H.head_seq = number(p, key), number(s, key)
  end
  if H.l then H.leased = number(H.l, key) end
  if H.n == 0 and not H.leased then H.priorities, H.classes = {}, {} end
  if H.r then H.ready_at = number(H.r, key) end
  if H.e then
    local discarded, override, precedence, unordered, dropped, garbage =
      string.match(H.e, '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$')
    if not discarded then damaged(key, 'field e') end
    H.discarded, H.unordered, H.dropped = discarded == '1', unordered == '1', dropped == '1'
    if override ~= '-' then H.override = number(override, key) end
    H.precedence, H.garbage = number(precedence, key), number(garbage, key)
  end
  H.was_leased, H.was_precedence = H.leased, H.precedence
  H.was_priority, H.was_seq = H.head_priority, H.head_seq
  hosts[name] = H
  touched[#touched + 1] = H
  return H
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

-- A place in a list counts if its record is there and still of the list's class.
local function first_of_list(H, class)
  local key = QUEUE .. H.name .. ':' .. class
  local rid = call('LINDEX', key, 0)
  local steps = 0
  while rid and H.unordered do
    local record = record_at(number(rid, key))
    if record and byte(record, 1) == class then break end
    if steps == MAX_STALE then return tonumber(rid), true end
    call('LPOP', key)
    rid = call('LINDEX', key, 0)
    steps = steps + 1
  end
  return rid and number(rid, key)
end

-- The best queued record of a host: priority, seq, rid, class, whether it is outdated, member.
-- With an override all priorities are equal, and the first discovered is best.
local function find_head(H)
  local p, s, rid, class, is_stale, member
  for i, own in ipairs(H.priorities) do
    local first, stale = first_of_list(H, i)
    local priority = H.override or tonumber(own)
    if first and (not p or is_before(priority, first, p, s)) then
      p, s, rid, class, is_stale = priority, first, first, i, stale
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
        p, s, rid, class, is_stale, member = priority, tonumber(seq), tonumber(id), OUT_OF_ORDER, false, found[1]
      end
    end
  end
  return p, s, rid, class, is_stale, member
end

local function insert_out_of_order(H, priority, seq, rid)
  local member = member_of(seq, rid)
  call('ZADD', BY_PRIORITY .. H.name, text(priority), member)
  call('ZADD', BY_SEQ .. H.name, text(seq), member)
  H.unordered = true
  head_may_be(H, priority, seq)
end

-- Queue a record again that was taken from the front of its class.
local function put_back(H, rid, record)
  local class = byte(record, 1)
  if class == OUT_OF_ORDER then
    local priority, seq = parse_record(H, rid, record)
    insert_out_of_order(H, priority, seq, rid)
  else
    call('LPUSH', QUEUE .. H.name .. ':' .. class, rid)
  end
  H.n = H.n + 1
  M.queued = M.queued + 1
end

local function new_garbage(H, kind, from)
  M.garbage = M.garbage + 1
  local id = text(M.garbage)
  if call('EXISTS', from) == 1 then
    call('RENAME', from, P .. 'g:' .. id)
    call('RPUSH', P .. 'garbage', id .. ' ' .. kind .. ' ' .. H.name)
    H.garbage = H.garbage + 1
  end
end

-- Give up one record that is in no list (it was leased).
local function drop_record(H, rid, record)
  call('RPUSH', P .. 'g:new', rid)
  new_garbage(H, 'one', P .. 'g:new')
  if not H.dropped then
    H.dropped = true
    M.dropped = M.dropped + 1
  end
end

-- Give up all that is queued on a host, however much that is; sweep.lua clears up behind it.
local function drop_all(H)
  for class in ipairs(H.priorities) do
    new_garbage(H, class, QUEUE .. H.name .. ':' .. class)
  end
  new_garbage(H, 'unordered', BY_SEQ .. H.name)
  call('UNLINK', BY_PRIORITY .. H.name)
  if not H.dropped then
    H.dropped = true
    M.dropped = M.dropped + 1
  end
  M.queued = M.queued - H.n
  H.n, H.head_priority, H.head_seq = 0, nil, nil
end

local function flush_places(H)
  for class, places in pairs(H.places) do
    local key = QUEUE .. H.name .. ':' .. class
    for i = 1, #places, MAX_PER_CALL do
      call('RPUSH', key, unpack(places, i, math.min(i + MAX_PER_CALL - 1, #places)))
    end
  end
  H.places = {}
end

local function renew_head(H)
  flush_places(H)
  local p, s = find_head(H)
  H.head_priority, H.head_seq = p, s
end

local function judge(H, precedence, discarded, override)
  H.precedence = precedence
  if discarded and not H.discarded then drop_all(H) end
  H.discarded = discarded
  if override ~= H.override then
    H.override = override
    if H.n > 0 and not H.leased then renew_head(H) end
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
  return format('%d %s %s %d %d %d', H.discarded and 1 or 0, H.override and text(H.override) or '-',
    text(H.precedence), H.unordered and 1 or 0, H.dropped and 1 or 0, H.garbage)
end

local function save_host(H)
  flush_places(H)
  place_host(H)
  local set, gone = {}, {}
  local function store(field, before, value)
    if value and value ~= before then
      set[#set + 1] = field
      set[#set + 1] = value
    elseif before and not value then
      gone[#gone + 1] = field
    end
  end
  store('n', H.stored_n, text(H.n))
  store('c', H.c ~= '' and H.c, #H.priorities > 0 and table.concat(H.priorities, ' '))
  store('k', H.k, H.head_seq and text(H.head_priority) .. ' ' .. text(H.head_seq))
  store('l', H.l, H.leased and text(H.leased))
  store('r', H.r, H.ready_at and text(H.ready_at))
  store('e', H.e, rare_field(H))
  if #set > 0 then call('HSET', HOST .. H.name, unpack(set)) end
  if #gone > 0 then call('HDEL', HOST .. H.name, unpack(gone)) end
end

local function save_all()
  for _, H in ipairs(touched) do save_host(H) end
  save_meta()
end

-- Leases --------------------------------------------------------------------------------------------

-- Take a lease out of the books; the host (no longer leased) and the record's id, or nothing.
local function strike(token)
  local lease = call('HGET', LEASES, token)
  if not lease then return nil end
  local rid, name = string.match(lease, '^(%d+) %S* (.*)$')
  if not rid then damaged(LEASES, 'a lease') end
  local H = load_host(name)
  call('HDEL', LEASES, token)
  call('ZREM', EXPIRY, token)
  H.leased = nil
  return H, tonumber(rid)
end

-- Let the host rest until `seconds` from now, at least until what was set before.
local function end_lease(H, now, seconds)
  H.ready_at = math.max(H.ready_at or now, now + seconds)
  if H.n > 0 then renew_head(H) end
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

local function bury(H, rid, record, reasons)
  local priority, seq, at = parse_record(H, rid, record)
  write_record(rid, char(BURIED) .. pack('>dd', priority, seq) .. sub(record, at))
  call('HSET', DEAD, rid, H.name .. '\n' .. reasons)
  call('HDEL', ATTEMPTS, rid)
  M.dead = M.dead + 1
end

local function append_reason(reasons, reason)
  return reasons == '' and reason or reasons .. '\n' .. reason
end

-- Give a leased URL back: queued, or dropped with its host. True if queued.
local function give_back(H, rid)
  local record = record_at(rid) or damaged(RECORDS .. floor(rid / BLOCK), 'a leased record is missing')
  if H.discarded then
    drop_record(H, rid, record)
    return false
  end
  put_back(H, rid, record)
  return true
end

-- Leases whose worker was not heard of in time, at most `limit`. A lease that expires too often is buried:
-- its page may be what kills the workers.
local function reclaim(now, limit, delay, max_expired)
  local tokens = call('ZRANGEBYSCORE', EXPIRY, '-inf', text(now), 'LIMIT', 0, limit)
  for _, token in ipairs(tokens) do
    local H, rid = strike(token)
    if H then
      local attempts, expired, reasons = failures_of(rid)
      expired = expired + 1
      reasons = append_reason(reasons, 'lease expired')
      if expired >= max_expired and not H.discarded then
        bury(H, rid, record_at(rid) or damaged(RECORDS .. floor(rid / BLOCK), 'a leased record is missing'), reasons)
      else
        keep_failures(rid, attempts, expired, reasons)
        give_back(H, rid)
      end
      local own = call('HGET', HOST .. H.name, 'd')
      end_lease(H, now, own and number(own, HOST .. H.name) or delay)
    else
      call('ZREM', EXPIRY, token)
    end
  end
  return #tokens
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
  local records, is_new_block, unused = {}, false, 0
  local header_rid = {}
  local added, improved, deferred = 0, 0, {}
  local by_number = {}

  local function flush()
    if #records == 0 then return end
    local key = RECORDS .. floor((rid - 1) / BLOCK)
    if is_new_block then records[1] = tostring(unused) end
    call('RPUSH', key, unpack(records))
    if unused > 0 and not is_new_block then count_unused(key, unused) end
    records, is_new_block, unused = {}, false, 0
  end

  local function push(record)
    if rid % BLOCK == 0 then
      flush()
      records, is_new_block = {'0'}, true
      rid = rid + 1
    end
    records[#records + 1] = record
    rid = rid + 1
    return rid - 1
  end

  local function push_unused(record)
    local id = push(record)
    unused = unused + 1
    return id
  end

  -- Header and entry in one block.
  local function push_entry(prefix, header, record)
    local id = header_rid[header]
    if not id or floor(id / BLOCK) ~= floor(rid / BLOCK) then
      if rid % BLOCK == BLOCK - 1 then push_unused('') end
      id = push_unused(ARGV[header_at + header - 1])
      header_rid[header] = id
    end
    return push(prefix .. char(rid - id) .. sub(record, 4))
  end

  local function distance_of(header)
    return number(string.match(header, '^%-?%d+'), RECORDS)
  end

  -- Whether any link could be better than this entry; only then it must be found again.
  local function note_index(bucket, hash, id, priority, header)
    if priority > best or (compare and distance_of(header) > 1) then
      call('HSET', index_key(bucket, hash), hash, id)
      if priority > M.worst then M.worst, M.distance = priority, 0 end
      if compare and priority == M.worst then M.distance = math.max(M.distance, distance_of(header)) end
    end
  end

  local function queue(H, bucket, hash, record, priority_text, header, seq)
    local class = H.classes[priority_text]
    if not class and #H.priorities < MAX_CLASSES then
      class = #H.priorities + 1
      H.priorities[class], H.classes[priority_text] = priority_text, class
    end
    local priority, id = tonumber(priority_text), nil
    if class and not seq then
      id = push_entry(char(class), header, record)
      local places = H.places[class]
      if not places then
        places = {}
        H.places[class] = places
      end
      places[#places + 1] = id
      head_may_be(H, priority, id)
    else
      id = push_entry(char(OUT_OF_ORDER) .. pack('>dd', priority, seq or 0), header, record)
      if not seq then
        seq = id
        records[#records] = char(OUT_OF_ORDER) .. pack('>dd', priority, seq) .. sub(records[#records], 18)
      end
      insert_out_of_order(H, priority, seq, id)
    end
    note_index(bucket, hash, id, priority, ARGV[header_at + header - 1])
    H.n = H.n + 1
    M.queued = M.queued + 1
    added = added + 1
  end

  -- R5: a queued URL takes a better (priority, distance), and its context with it; its seq stays.
  local function improve(H, id, record, priority, header, blob)
    local own, seq, start = parse_record(H, id, record)
    if priority > own or (priority == own and not compare) then return end
    if priority == own and distance_of(header) >= distance_of((header_of(id, record, start))) then return end
    local rest = char(0) .. pack('>H', #header) .. header .. sub(blob, 4)
    if priority == own then
      write_record(id, sub(record, 1, start - 1) .. rest)
    else
      write_record(id, char(OUT_OF_ORDER) .. pack('>dd', priority, seq) .. rest)
      insert_out_of_order(H, priority, seq, id)
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
    local id = number(found, key)
    if id < 0 then
      call('HDEL', key, hash)
      queue(H, bucket, hash, blob, priority_text, header, -id)
    elseif id ~= H.leased then
      local record = record_at(id)
      if record and byte(record, 1) ~= BURIED then
        improve(H, id, record, tonumber(priority_text), ARGV[header_at + header - 1], blob)
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
      local H = by_number[host]
      if not H then
        H = load_host(ARGV[host_at + host - 1])
        by_number[host] = H
      end
      if H.discarded then
        call('SREM', SEEN .. bucket, hash)
      else
        queue(H, bucket, hash, blob, ARGV[priority_at + priority - 1], header)
        M.seen = M.seen + 1
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
  M.rid = rid
  for _ = 1, 4 do
    if M.seen > URLS_PER_BUCKET * M.buckets then split_bucket() end
  end
  return added, improved, deferred
end
