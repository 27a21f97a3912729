-- dropped: read some URLs that were dropped with their host, for sweep.lua to clear up.
--
-- KEYS[1]  {…}:m
-- ARGV     host, or '' for any; number of places to read
-- Result   {} when nothing is left, else {id, kind, host, number of places read, first place, last place,
--          {{rid, seq, header, record}, …}}
-- Atomic   reads only.
-- Bounded  by the number of places (at most 200), and 1000 names of dropped lists.

local wanted, limit = ARGV[1], math.min(tonumber(ARGV[2]), 200)
local found
for _, line in ipairs(call('LRANGE', P .. 'garbage', 0, wanted == '' and 0 or 999)) do
  local id, kind, name = string.match(line, '^(%d+) (%S+) (.*)$')
  if not id then damaged(P .. 'garbage', 'a line') end
  if wanted == '' or name == wanted then
    found = {id, kind, name}
    break
  end
end
if not found then return {} end
local key, kind, H = P .. 'g:' .. found[1], found[2], load_host(found[3])
local places = call(kind == 'unordered' and 'ZRANGE' or 'LRANGE', key, 0, limit - 1)
local records = {}
for _, place in ipairs(places) do
  local rid = number(string.match(place, '(%d+)$'), key)
  local record = record_at(rid)
  local class = record and byte(record, 1)
  if class and rid ~= H.leased and class ~= BURIED
    and (kind == 'one' or class == (kind == 'unordered' and OUT_OF_ORDER or LISTED)) then
    local seq, at = rid, 2
    if class == OUT_OF_ORDER then
      local _
      _, seq, at = parse_record(rid, record)
    end
    local header, rest = header_of(rid, record, at)
    records[#records + 1] = {text(rid), text(seq), header, rest}
  end
end
return {found[1], kind, H.name, #places, places[1] or '', places[#places] or '', records}
