-- commit: settle a lease: counts, verdicts, new entries, the host's rest.
--
-- KEYS[1]  {…}:m
-- ARGV     now, token, kind (page, failed, other), fetched (1, 0), is_target (1, 0), directory, hash of the URL,
--          delay (s), back_off (s), retry_delay (s), max_attempts, reason, number of verdicts, five for
--          each: host, precedence, discard (1, 0), override or '-', offset; number of notes, two for each: name, text; lesson, place,
--          worker as lessons.lua takes them; then the view of the links that were left out, and entries, as discovery.lua
--          reads them
-- Result   {accepted, added, improved, retried, dead, {entries that wait for a sweep}, new view or '', lessons (as
--          lessons.lua gives them)}; accepted is -1 when the view is not true any more: then nothing was changed, and links
--          that were left out must be sent
-- Atomic   all of it. A token that is not held (the second commit of a lease, or one that comes after the lease
--          went to another worker) adds its entries, which is harmless twice, and changes nothing else.
-- Bounded  by the numbers of entries, verdicts and notes (the client sends at most 500 and 100).

local now, token, kind = number(ARGV[1], 'now'), ARGV[2], ARGV[3]
local verdicts = tonumber(ARGV[13])
local notes_at = 14 + 5 * verdicts
local lesson_at = notes_at + 1 + 2 * tonumber(ARGV[notes_at])
local view_at = lesson_at + 3
local entries_at = view_at + 1

-- A host that this commit keeps again: URLs that were dropped with it may be among the links that were left out.
local function keeps_again()
  for i = 14, notes_at - 5, 5 do
    if ARGV[i + 2] ~= '1' and load_host(ARGV[i]).discarded then return true end
  end
end

if ARGV[view_at] ~= '-' and (is_stale(ARGV[view_at]) or keeps_again()) then return {-1, 0, 0, 0, 0, {}, view(), {}} end
if tonumber(ARGV[entries_at + 5]) > 0 or lesson_at > notes_at + 1 then refuse_if_full() end
local H, rid, priority, has_failed = strike(token)
if not H then
  local added, improved, deferred = add_entries(entries_at)
  save_all()
  return {0, added, improved, 0, 0, deferred, new_view(ARGV[view_at]), {}}
end

local function count_page()
  local is_target = ARGV[5] == '1'
  H.pages, H.is_counted = number(H.pages, HOST .. H.name) + 1, true
  H.targets = number(H.targets, HOST .. H.name) + (is_target and 1 or 0)
  M.pages, M.targets = M.pages + 1, M.targets + (is_target and 1 or 0)
  if ARGV[6] ~= '' then
    local name, path = string.match(ARGV[6], '^([^/]*)(.*)$')
    call('HINCRBY', P .. 'd:' .. name, 'p' .. path, 1)
    if is_target then call('HINCRBY', P .. 'd:' .. name, 't' .. path, 1) end
  end
end

-- Whether it is queued again, and whether it is dead.
local function fail()
  local attempts, expired, reasons = failures_of(rid)
  attempts = attempts + 1
  reasons = append_reason(reasons, ARGV[12])
  if attempts >= tonumber(ARGV[11]) and not H.discarded then
    bury(H, rid, record_at(rid) or damaged(RECORDS .. floor(rid / BLOCK), 'a leased record is missing'), priority, reasons)
    return false, true, attempts
  end
  keep_failures(rid, attempts, expired, reasons)
  return give_back(H, rid, priority), false, attempts
end

for i = 14, notes_at - 5, 5 do
  local override = ARGV[i + 3]
  judge(load_host(ARGV[i]), number(ARGV[i + 1], 'precedence'), ARGV[i + 2] == '1',
    override ~= '-' and number(override, 'override') or nil, number(ARGV[i + 4], 'offset'))
end

for i = notes_at + 1, lesson_at - 2, 2 do call('HSET', NOTES, ARGV[i], ARGV[i + 1]) end

local retried, dead, back_off = false, false, number(ARGV[9], 'back_off')
if kind == 'failed' then
  local attempts
  retried, dead, attempts = fail()
  if retried then
    back_off = math.max(back_off, math.min(tonumber(ARGV[10]) * 2 ^ math.min(attempts - 1, 30), MAX_BACK_OFF))
  end
else
  erase_record(rid)
  if has_failed then call('HDEL', ATTEMPTS, rid) end
  if M.worst > -math.huge then call('HDEL', index_key(bucket_of(ARGV[7]), ARGV[7]), ARGV[7]) end
  if kind == 'page' then count_page() end
end
local added, improved, deferred = add_entries(entries_at)
local delay = ARGV[4] == '1' and delay_of(H, number(ARGV[8], 'delay')) or 0
end_lease(H, now, math.max(delay, back_off))
save_all()
local lessons = exchange_lessons(ARGV[lesson_at], ARGV[lesson_at + 1], ARGV[lesson_at + 2])
return {1, added, improved, retried and 1 or 0, dead and 1 or 0, deferred, new_view(ARGV[view_at]), lessons}
