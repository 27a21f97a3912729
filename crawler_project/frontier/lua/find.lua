-- find: what has become of one URL.
--
-- KEYS[1]  {…}:m
-- ARGV     hash of the URL, its host
-- Result   {} when it was never seen; else {queued, leased, dead, dropped or done, offset of the host, its pages, its
--          target pages}, and unless it is done or dropped priority, reasons of failures (one a line), header, record.
--          A URL at the best priority there is has no place by which it could be found, and counts as done.
-- Atomic   reads only.
-- Bounded  one URL.

local hash, H = ARGV[1], load_host(ARGV[2])
local bucket = bucket_of(hash)
if call('SISMEMBER', SEEN .. bucket, hash) == 0 then return {} end
local place = call('HGET', index_key(bucket, hash), hash)
local rid, priority = string.match(place or '', '^(%-?%d+) ?(.*)$')
local about = {rid and tonumber(rid) < 0 and 'dropped' or 'done', text(H.offset), H.pages, H.targets}
local record = rid and tonumber(rid) >= 0 and record_at(tonumber(rid))
if not record then return about end
rid = tonumber(rid)
local own, _, at = parse_record(rid, record, tonumber(priority))
local header, rest = header_of(rid, record, at)
local reasons = string.match(call('HGET', DEAD, rid) or '', '\n(.*)$') or ''
about[1] = byte(record, 1) == BURIED and 'dead' or H.leased == rid and 'leased' or H.discarded and 'dropped' or 'queued'
if not own then damaged(RECORDS .. floor(rid / BLOCK), 'a priority is missing') end
return {about[1], about[2], about[3], about[4], text(own), reasons, header, rest}
