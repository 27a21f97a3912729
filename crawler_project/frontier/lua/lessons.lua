-- Lessons: what workers learned from their latest downloads, for each other. A stream, trimmed to the latest: of each the
-- worker and a text that means nothing here.

local LESSONS, MOST_KEPT = P .. 'e', 64

-- Tell a lesson ('': none), and hear what other workers told after the place `since` ('-': nothing is heard), the latest MOST_KEPT at
-- most. Result: the new place, then the lessons, oldest first; nothing where nothing is heard, or `since` is '': who takes no part.
local function exchange_lessons(own, since, worker)
  if since == '' then return {} end
  local result = {}
  if since ~= '-' then
    local found = call('XREVRANGE', LESSONS, '+', '(' .. since, 'COUNT', MOST_KEPT)
    result[1] = found[1] and found[1][1] or since
    for i = #found, 1, -1 do
      local fields = found[i][2]
      if fields[1] ~= worker then result[#result + 1] = fields[2] end
    end
  end
  if own ~= '' then
    local place = call('XADD', LESSONS, 'MAXLEN', '~', MOST_KEPT, '*', worker, own)
    if since ~= '-' then result[1] = place end
  end
  return result
end
