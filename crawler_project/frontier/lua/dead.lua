-- dead: read URLs that failed too often.
--
-- KEYS[1]  {…}:m
-- ARGV     ids of their records
-- Result   one list each: {rid, seq, host, reasons (one a line), header, record}
-- Atomic   reads only.
-- Bounded  by the number of ids (the client sends at most 200).

local letters = {}
for _, rid in ipairs(ARGV) do
  local letter = call('HGET', DEAD, rid)
  if letter then
    local name, reasons = string.match(letter, '^([^\n]*)\n(.*)$')
    local record = record_at(number(rid, DEAD))
    if not name or not record or byte(record, 1) ~= BURIED then damaged(DEAD, 'field ' .. rid) end
    local _, seq, at = parse_record(tonumber(rid), record)
    local header, rest = header_of(tonumber(rid), record, at)
    letters[#letters + 1] = {rid, text(seq), name, reasons, header, rest}
  end
end
return letters
