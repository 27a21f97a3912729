-- Discovery: the seen-set, and what becomes of a link: new, better than before, or known (R3 to R6).
--
-- The seen-set is a linear hash table of integer sets: one more bucket for every 190 URLs, made by
-- splitting the bucket whose turn it is (Litwin 1980), so that no set is ever large or rebuilt. A bucket's name
-- is the lowest `level` bits of the hashes in it as text, lowest first, one bit more for those that are split
-- already; the client sends those bits as text, since numbers are slow to turn into keys.

local function bits_of(hash, count)
  local v, bits = math.abs(number(sub(hash, -9), SEEN)), {}
  for i = 1, count do
    bits[i] = v % 2
    v = floor(v / 2)
  end
  return table.concat(bits)
end

-- The name of the bucket whose turn it is; those before it are split.
local function bucket_in_turn()
  local v, bits = M.split, {}
  for i = M.level, 1, -1 do
    bits[i] = v % 2
    v = floor(v / 2)
  end
  return table.concat(bits)
end

local function bucket_of(hash)
  local bits = bits_of(hash, M.level + 1)
  local bucket = sub(bits, 1, M.level)
  return bucket < bucket_in_turn() and bits or bucket -- 0 and 1 are in the same order in every locale
end

local function index_key(bucket, hash)
  return INDEX .. bucket .. ':' .. (tonumber(sub(hash, -10, -10)) or 0) % 4
end

local function in_parts(command, key, values)
  for i = 1, #values, MAX_PER_CALL do
    call(command, key, unpack(values, i, math.min(i + MAX_PER_CALL - 1, #values)))
  end
end

local function split_bucket()
  local from, width = bucket_in_turn(), 2 ^ M.level
  local function half_of(hash)
    return floor(math.abs(tonumber(sub(hash, -9)) or damaged(SEEN .. from, 'a hash')) / width) % 2
  end
  local halves = {[0] = {}, {}}
  for _, hash in ipairs(call('SMEMBERS', SEEN .. from)) do
    local half = halves[half_of(hash)]
    half[#half + 1] = hash
  end
  call('DEL', SEEN .. from)
  in_parts('SADD', SEEN .. from .. '0', halves[0])
  in_parts('SADD', SEEN .. from .. '1', halves[1])
  for part = 0, 3 do
    local key = INDEX .. from .. ':' .. part
    local fields = call('HGETALL', key)
    halves = {[0] = {}, {}}
    for i = 1, #fields, 2 do
      local half = halves[half_of(fields[i])]
      half[#half + 1] = fields[i]
      half[#half + 1] = fields[i + 1]
    end
    if #fields > 0 then call('DEL', key) end
    in_parts('HSET', INDEX .. from .. '0:' .. part, halves[0])
    in_parts('HSET', INDEX .. from .. '1:' .. part, halves[1])
  end
  M.split = M.split + 1
  if M.split == 2 ^ M.level then M.level, M.split = M.level + 1, 0 end
end

-- The first write of a script is what a full Redis refuses; later ones pass. So ask before anything is changed,
-- with a write that changes nothing.
local function refuse_if_full()
  call('HSETNX', KEYS[1], 'layout', 0)
end

-- View: what a client must know to leave links out that it has sent before. `boot` changes when the server may have
-- lost some of them, `kept` when dropped URLs may come back (R4), `worst` when links may improve more than before.
local kept, worst = M.kept, M.worst

local function view()
  return boot .. ' ' .. text(M.kept) .. ' ' .. text(M.worst)
end

local first_view = view()

local function is_stale(theirs)
  return theirs ~= '-' and theirs ~= first_view
end

-- The view after the entries were added; '' if the client knows it.
local function new_view(theirs)
  if theirs == first_view and M.kept == kept and M.worst == worst then return '' end
  return view()
end

-- Add the entries that ARGV holds from `at` on: best priority, compare distances (1 or 0), numbers of hosts,
-- priorities, headers and entries; of each entry 3 bytes, the numbers of its host, priority and header; of each entry
-- 24 lowest bits of its hash; then hosts, priorities, headers, and an entry as hash and record.
-- Result: added, improved, and which entries wait for a sweep.
local function add_entries(at)
  local best, compare = number(ARGV[at], 'ARGV'), ARGV[at + 1] == '1'
  local numbers, bits = ARGV[at + 6], ARGV[at + 7]
  local host_at = at + 8
  local priority_at = host_at + ARGV[at + 2]
  local header_at = priority_at + ARGV[at + 3]
  local entry_at = header_at + ARGV[at + 4]
  local level, turn = M.level, bucket_in_turn()
  local rid = M.rid
  local slot = rid % BLOCK -- of the next record; 0: a new block begins
  local records, size, is_new_block, unused = {}, 0, false, 0
  local header_rid = {}
  local new, revived, improved, deferred = 0, 0, 0, {}
  local lists, order = {}, {}

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

  local function push_entry(prefix, header, record) -- the loop below has the common case of it in line
    local id = slot ~= 0 and header_rid[header] or push_header(header)
    return push(prefix .. char(rid - id) .. record)
  end

  local function distance_of(header)
    return number(string.match(header, '^%-?%d+'), RECORDS)
  end

  -- Whether any link could be better than this entry; only then it must be found again.
  local function note_index(bucket, hash, id, priority, header)
    if priority > best or (compare and distance_of(header) > 1) then
      call('HSET', index_key(bucket, hash), hash, id .. ' ' .. text(priority))
      if priority > M.worst then M.worst = priority end
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

  -- Where new URLs of a host and priority go: to a list, out of order if the host cannot have one more, or nowhere if
  -- it is discarded. A list that is not empty is noted with its host already, and a new URL at its end is not the
  -- host's best: then nothing needs to be known of the host.
  local function place_for(host, priority)
    local name, own = ARGV[host_at + host - 1], ARGV[priority_at + priority - 1]
    local key = QUEUE .. name .. ':' .. own
    local value = tonumber(own)
    if call('LLEN', key) > 0 then return {key = key, ids = {}, own = value} end
    local H = load_host(name)
    if H.discarded then return {} end
    if note_list(H, own) then return {key = key, ids = {}, own = value, empty_host = H} end
    return {own = value, full_host = H}
  end

  -- R5: a queued URL takes a better (priority, distance), and its context with it; its seq stays.
  local function improve(H, hash, key, id, record, own, priority, header, blob)
    local _, seq, start = parse_record(id, record, own)
    if priority > own or (priority == own and not compare) then return end
    if priority == own and distance_of(header) >= distance_of((header_of(id, record, start))) then return end
    local rest = char(0) .. pack('>H', #header) .. header .. blob
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

  local function meet_again(j, H, bucket, hash, blob, priority, header)
    if H.discarded then return end
    if H.garbage > 0 then
      deferred[#deferred + 1] = j
      return
    end
    local key = index_key(bucket, hash)
    local found = call('HGET', key, hash)
    if not found then return end
    local id_text, own_text = string.match(found, '^(%-?%d+) ?(.*)$')
    local id = number(id_text, key)
    if id < 0 then
      call('HDEL', key, hash)
      id = queue_out_of_order(H, priority, -id, header, blob)
      revived = revived + 1
      note_index(bucket, hash, id, priority, ARGV[header_at + header - 1])
    elseif id ~= H.leased then
      local record = record_at(id)
      if record and byte(record, 1) ~= BURIED then
        improve(H, hash, key, id, record, number(own_text, key), priority, ARGV[header_at + header - 1], blob)
      end
    end
  end

  local function new_place(pair, host, priority)
    local place = place_for(host, priority)
    lists[pair] = place
    order[#order + 1] = place
    return place
  end

  for j = 1, tonumber(ARGV[at + 5]) do
    local hash, blob = ARGV[entry_at + 2 * j - 2], ARGV[entry_at + 2 * j - 1]
    local host, priority, header = byte(numbers, 3 * j - 2, 3 * j)
    local bucket = sub(bits, 24 * j - 23, 24 * j - 24 + level)
    if bucket < turn then bucket = sub(bits, 24 * j - 23, 24 * j - 23 + level) end
    if call('SADD', SEEN .. bucket, hash) == 1 then
      local pair = host * 256 + priority
      local place = lists[pair] or new_place(pair, host, priority)
      local ids, own, id = place.ids, place.own, rid
      if ids then
        local header_id = slot ~= 0 and header_rid[header]
        if header_id then
          size = size + 1
          records[size] = LISTED_MARK .. char(rid - header_id) .. blob
          rid, slot = rid + 1, (slot + 1) % BLOCK
        else
          id = push_entry(LISTED_MARK, header, blob)
        end
        ids[#ids + 1] = id
      elseif own then
        id = queue_out_of_order(place.full_host, own, nil, header, blob)
      end
      if own then
        new = new + 1
        if own > best or compare then note_index(bucket, hash, id, own, ARGV[header_at + header - 1]) end
      else -- on a discarded host
        call('SREM', SEEN .. bucket, hash)
      end
    else
      local own = tonumber(ARGV[priority_at + priority - 1])
      if own < worst or (compare and own == worst) or M.dropped > 0 then
        meet_again(j, load_host(ARGV[host_at + host - 1]), bucket, hash, blob, own, header)
      end
    end
  end
  flush()
  for _, place in ipairs(order) do
    if place.ids and place.ids[1] then
      call('RPUSH', place.key, unpack(place.ids))
      local H = place.empty_host
      if H then head_may_be(H, place.own, place.ids[1]) end
    end
  end
  M.rid, M.queued, M.seen = rid, M.queued + new + revived, M.seen + new
  for _ = 1, 4 do
    if M.seen > URLS_PER_BUCKET * (2 ^ M.level + M.split) then split_bucket() end
  end
  return new + revived, improved, deferred
end
