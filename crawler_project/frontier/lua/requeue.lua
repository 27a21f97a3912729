-- requeue: queue dead URLs again in their old places, with all attempts ahead. Those of discarded hosts stay dead.
--
-- KEYS[1]  {…}:m
-- ARGV     ids of their records
-- Result   how many were queued
-- Atomic   all of it.
-- Bounded  by the number of ids (the client sends at most 200).

local count = 0
for _, rid in ipairs(ARGV) do
  local letter = call('HGET', DEAD, rid)
  local name = letter and string.match(letter, '^([^\n]*)\n')
  local record = name and record_at(number(rid, DEAD))
  if record and byte(record, 1) == BURIED then
    local H = load_host(name)
    if not H.discarded then
      local id = tonumber(rid)
      local raised = char(OUT_OF_ORDER) .. sub(record, 2)
      write_record(id, raised)
      put_back(H, id, raised)
      call('HDEL', DEAD, rid)
      M.dead = M.dead - 1
      count = count + 1
    end
  end
end
save_all()
return count
