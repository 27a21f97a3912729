-- Hosts: their queues, their heads, their places among the others, and verdicts.
--
-- Fields of a host: c its priorities with a list each, k head "priority seq", l leased record, r ready at,
-- e rare things "discarded override precedence unordered dropped garbage stale offset", p pages, t target pages, d own
-- delay, v version of its rules.

local hosts, touched = {}, {}

local function load_host(name)
  local H = hosts[name]
  if H then return H end
  local key = HOST .. name
  local v = call('HMGET', key, 'c', 'k', 'l', 'r', 'e', 'p', 't', 'd', 'v')
  local c, k, l, r, e = v[1], v[2], v[3], v[4], v[5]
  H = {name = name, c = c, precedence = 0, garbage = 0, stale = 0, offset = 0,
       pages = v[6] or '0', targets = v[7] or '0', delay = v[8], version = v[9] or '0',
       stored_c = c, stored_k = k, stored_l = l, stored_r = r, stored_e = e}
  if l then H.leased = number(l, key) end
  if k then
    local space = find(k, ' ', 1, true) or damaged(key, 'field k')
    H.head_priority, H.head_seq = number(sub(k, 1, space - 1), key), number(sub(k, space + 1), key)
  end
  if r then H.ready_at = number(r, key) end
  if e then
    local discarded, override, precedence, unordered, dropped, garbage, stale, offset =
      string.match(e, '^(%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+) (%S+)$')
    if not discarded then damaged(key, 'field e') end
    H.discarded, H.unordered, H.dropped = discarded == '1', unordered == '1', dropped == '1'
    if override ~= '-' then H.override = number(override, key) end
    H.precedence, H.garbage, H.stale = number(precedence, key), number(garbage, key), number(stale, key)
    H.offset = number(offset, key)
  end
  H.was_leased, H.was_precedence, H.was_offset = H.leased, H.precedence, H.offset
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

-- Forget that a priority has a list; it can be noted again.
local function forget_list(H, priority)
  local left = {}
  for own in string.gmatch(H.c, '%S+') do
    if own ~= priority then left[#left + 1] = own end
  end
  H.c = left[1] and table.concat(left, ' ') or nil
end

-- The first record of the best list that has one: seq and id, priority of the list as text, whether it is outdated. Lists
-- that are found empty are forgotten; a record that was taken from one is put back with its list (put_back).
local function first_of_best_list(H)
  while H.c do
    local best, name
    for own in string.gmatch(H.c, '%S+') do
      local priority = number(own, HOST .. H.name)
      if not best or priority < best then best, name = priority, own end
    end
    local first, is_stale = first_of_list(H, name)
    if first then return first, name, is_stale end
    forget_list(H, name)
  end
end

-- The same where all priorities are equal: the first discovered of all lists.
local function first_of_all_lists(H)
  local first, name, is_stale
  for own in string.gmatch(H.c or '', '%S+') do
    local found, stale = first_of_list(H, own)
    if found and (not first or found < first) then first, name, is_stale = found, own, stale end
  end
  return first, name, is_stale
end

-- The best queued record of a host: priority, seq, rid, priority of its list, whether it is outdated, member.
-- With an override all priorities are equal, and the first discovered is best.
local function find_head(H)
  local p, s, rid, list, is_stale, member
  s, list, is_stale = (H.override and first_of_all_lists or first_of_best_list)(H)
  if s then p, rid = H.override or number(list, HOST .. H.name), s end
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
  elseif note_list(H, priority) then
    call('LPUSH', QUEUE .. H.name .. ':' .. priority, rid)
  else
    local own = number(priority, HOST .. H.name)
    write_record(rid, char(OUT_OF_ORDER) .. pack('>dd', own, rid) .. sub(record, 2))
    insert_out_of_order(H, own, rid, rid)
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

local function judge(H, precedence, discarded, override, offset)
  H.precedence, H.offset, H.is_rare = precedence, offset, true
  if discarded and not H.discarded then drop_all(H) end
  if H.discarded and not discarded then M.kept = M.kept + 1 end
  H.discarded = discarded
  if override ~= H.override then
    H.override = override
    if H.head_seq then renew_head(H) end
  end
end

-- What a host was in the order by, as it is stored.
local function old_member(H)
  return ready_member(H.was_priority + H.was_offset, H.was_seq, H.name)
end

-- Take a host's place among the ready or resting ones, and store what changed.
local function place_host(H)
  if H.leased then
    H.head_priority, H.head_seq = nil, nil
    if not H.was_leased and H.was_seq and call('ZREM', READY, old_member(H)) == 0 then call('ZREM', REST, H.name) end
    return
  end
  local p, s, q, t = H.head_priority, H.head_seq, H.was_priority, H.was_seq
  if p == q and s == t and H.precedence == H.was_precedence and H.offset == H.was_offset then return end
  local is_resting = H.ready_at
  if t then
    is_resting = call('ZREM', READY, old_member(H)) == 0
    if not s then call('ZREM', REST, H.name) end
  end
  if s then
    if is_resting then
      call('ZADD', REST, H.ready_at and text(H.ready_at) or damaged(HOST .. H.name, 'no time to be ready'), H.name)
    else
      call('ZADD', READY, text(H.precedence), ready_member(p + H.offset, s, H.name))
    end
  end
end

local function rare_field(H)
  if not (H.discarded or H.override or H.unordered or H.dropped or H.precedence ~= 0 or H.garbage > 0
    or H.offset ~= 0) then
    return false
  end
  return format('%d %s %s %d %d %d %d %s', H.discarded and 1 or 0, H.override and text(H.override) or '-',
    text(H.precedence), H.unordered and 1 or 0, H.dropped and 1 or 0, H.garbage, H.stale,
    text(H.offset))
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
  if H.is_counted then
    store('p', nil, text(H.pages))
    store('t', nil, text(H.targets))
  end
  if #set > 0 then call('HSET', HOST .. H.name, unpack(set)) end
  if gone then call('HDEL', HOST .. H.name, unpack(gone)) end
end

local function save_all()
  for _, H in ipairs(touched) do save_host(H) end
  save_meta()
end
