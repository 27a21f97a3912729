-- Counters and records: what all operations share. Put in front of each of them when it is loaded, with
-- those of hosts.lua, leases.lua and discovery.lua that it needs.
--
-- KEYS[1] is always the crawl's `{…}:m`; every other key starts with the same `{…}:`, so all of them
-- are in one slot of a Redis Cluster. A script is atomic: nobody sees half of it.
-- Numbers are compared as numbers, never as strings: Lua compares strings by locale.

local call, byte, char, sub, find = redis.call, string.byte, string.char, string.sub, string.find
local pack, unpack_struct, format, floor = struct.pack, struct.unpack, string.format, math.floor
local P = sub(KEYS[1], 1, -2)
local SEEN, INDEX, RECORDS, HOST, QUEUE = P .. 's:', P .. 'x:', P .. 'r:', P .. 'h:', P .. 'q:'
local BY_PRIORITY, BY_SEQ = P .. 'z:', P .. 'y:'
local NOTES = P .. 'n'
local READY, REST, LEASES, EXPIRY, ATTEMPTS, DEAD = P .. 'ready', P .. 'rest', P .. 'l', P .. 'le', P .. 'a', P .. 'dead'

local BLOCK = 64            -- places of a block of records; the first holds how many of them are no entries (any more)
local MAX_LISTS = 16        -- priorities of a host that have a list of their own
local MAX_STALE = 200       -- outdated places that one call skips in a list
local MAX_PER_CALL = 1000   -- arguments of one command
local URLS_PER_BUCKET = 190 -- twice that (an unsplit bucket) stays below Redis' 512 for a compact integer set
local MAX_BACK_OFF = 86400
local LISTED, OUT_OF_ORDER, BURIED = 1, 255, 254
local LISTED_MARK = char(LISTED)

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

-- Meta: the counters of the crawl, 13 doubles in one field (a field each takes 10 us a script) ------------------------

local NUMBERS, M, stored_numbers, boot = '>ddddddddddddd', {}, nil, nil
do
  local values = call('HMGET', KEYS[1], 'boot', 'numbers')
  boot, stored_numbers = values[1] or '', values[2]
  if not stored_numbers or #stored_numbers ~= 104 then damaged(KEYS[1], 'field numbers') end
  M.rid, M.seen, M.queued, M.dead, M.level, M.split, M.garbage, M.dropped, M.kept, M.worst, M.pages, M.targets, M.paused =
    unpack_struct(NUMBERS, stored_numbers)
  -- NaN is in no range
  if not (M.rid >= 0 and M.rid < 1e15 and M.level >= 0 and M.level < 24 and M.split >= 0 and M.split < 2 ^ M.level
    and M.rid % 1 == 0 and M.level % 1 == 0 and M.split % 1 == 0 and M.garbage >= 0 and M.garbage < 1e15
    and M.queued == M.queued and M.seen == M.seen and M.worst == M.worst) then
    damaged(KEYS[1], 'impossible counters')
  end
end

local function save_meta()
  local numbers = pack(NUMBERS, M.rid, M.seen, M.queued, M.dead, M.level, M.split, M.garbage, M.dropped, M.kept, M.worst,
    M.pages, M.targets, M.paused)
  if numbers ~= stored_numbers then call('HSET', KEYS[1], 'numbers', numbers) end
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

-- Remove a record that is there.
local function erase_record(rid)
  write_record(rid, '')
  count_unused(RECORDS .. floor(rid / BLOCK), 1)
end

local function remove_record(rid)
  if record_at(rid) then erase_record(rid) end
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
