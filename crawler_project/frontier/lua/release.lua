-- release: give a leased URL back unharmed, in its old place or at another priority, with no attempt counted.
--
-- KEYS[1]  {…}:m
-- ARGV     now, token, fetched (1, 0: whether the host's delay starts), delay (s), priority or '', hash of the URL,
--          least rest of the host (s)
-- Result   1, or 0 when the token is not held (then nothing changes)
-- Atomic   all of it.
-- Bounded  one URL, one host.

-- Another priority takes a leased record out of the list of its old one; the index must know, so that a better link
-- to the URL is an improvement (R5).
local function set_priority(rid, old, priority, hash)
  local record = record_at(rid) or damaged(RECORDS .. floor(rid / BLOCK), 'a leased record is missing')
  local _, seq, start = parse_record(rid, record, tonumber(old))
  write_record(rid, char(OUT_OF_ORDER) .. pack('>dd', priority, seq) .. sub(record, start))
  call('HSET', index_key(bucket_of(hash), hash), hash, rid .. ' ' .. text(priority))
  if priority > M.worst then M.worst = priority end
end

local now = number(ARGV[1], 'now')
local H, rid, priority = strike(ARGV[2])
if not H then return 0 end
if ARGV[5] ~= '' then set_priority(rid, priority, number(ARGV[5], 'priority'), ARGV[6]) end
give_back(H, rid, priority)
end_lease(H, now, math.max(number(ARGV[7], 'rest'), ARGV[3] == '1' and delay_of(H, tonumber(ARGV[4])) or 0))
save_all()
return 1
