-- Lessons: what workers learned from their latest downloads, for each other. A stream, trimmed to the latest: of each the
-- worker and a text that means nothing here.

local LESSONS, MOST_HEARD, MOST_KEPT = P .. 'e', 8, 64

-- Tell a lesson ('': none), and hear what other workers told after the place `since`. Result: the new place, then place and
-- text of each lesson, oldest first; nothing when `since` is '', for those who take no part.
local function exchange_lessons(own, since, worker)
  if since == '' then return {} end
  local found = call('XREVRANGE', LESSONS, '+', '(' .. since, 'COUNT', MOST_HEARD)
  local result = {found[1] and found[1][1] or since}
  for i = #found, 1, -1 do
    local fields = found[i][2]
    if fields[1] ~= worker then
      result[#result + 1] = found[i][1]
      result[#result + 1] = fields[2]
    end
  end
  if own ~= '' then result[1] = call('XADD', LESSONS, 'MAXLEN', '~', MOST_KEPT, '*', worker, own) end
  return result
end
