-- sweep: clear up behind a discarded host what dropped.lua has read; its URLs may be queued again then (R4).
--
-- KEYS[1]  {…}:m
-- ARGV     id, kind, host, number of places, first place, last place; then three for each record: rid, seq, hash
--          of its URL
-- Result   1, or 0 when somebody else has cleared these up
-- Atomic   all of it.
-- Bounded  by the number of records (dropped.lua gives at most 200).

local id, kind, H, count = ARGV[1], ARGV[2], load_host(ARGV[3]), tonumber(ARGV[4])
local key = P .. 'g:' .. id
if count > 0 then
  local range = kind == 'unordered' and 'ZRANGE' or 'LRANGE'
  if call(range, key, 0, 0)[1] ~= ARGV[5] or call(range, key, count - 1, count - 1)[1] ~= ARGV[6] then return 0 end
  if kind == 'unordered' then call('ZREMRANGEBYRANK', key, 0, count - 1) else call('LTRIM', key, count, -1) end
end
for i = 7, #ARGV, 3 do
  remove_record(tonumber(ARGV[i]))
  call('HDEL', ATTEMPTS, ARGV[i])
  call('HSET', index_key(bucket_of(ARGV[i + 2]), ARGV[i + 2]), ARGV[i + 2], '-' .. ARGV[i + 1])
end
if call('EXISTS', key) == 0 and call('LREM', P .. 'garbage', 1, id .. ' ' .. kind .. ' ' .. H.name) == 1 then
  H.garbage = math.max(H.garbage - 1, 0)
end
save_all()
return 1
