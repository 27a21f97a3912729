-- URLs that get another priority than they were queued with: what release.lua and exchange.lua have in common.

-- Another priority takes a record out of the list of its old one (`old`, for a listed one); the index must know, so
-- that a better link to the URL is an improvement (R5). Gives the record's seq.
local function set_priority(rid, old, priority, hash)
  local record = record_at(rid) or damaged(RECORDS .. floor(rid / BLOCK), 'a queued record is missing')
  local _, seq, start = parse_record(rid, record, tonumber(old))
  write_record(rid, char(OUT_OF_ORDER) .. pack('>dd', priority, seq) .. sub(record, start))
  call('HSET', index_key(bucket_of(hash), hash), hash, rid .. ' ' .. text(priority))
  if priority > M.worst then M.worst = priority end
  return seq
end
