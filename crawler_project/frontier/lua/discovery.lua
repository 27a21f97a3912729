-- Discovery: the seen-set, and what becomes of a link: new, better than before, or known (R3 to R6).
--
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

-- The first write of a script is what a full Redis refuses; later ones pass. So ask before anything is changed,
-- with a write that changes nothing.
local function refuse_if_full()
  call('HSETNX', KEYS[1], 'layout', 0)
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
