-- give_server_back: a lease that had a server has ended.
--
-- KEYS[1]  {…}:m
-- ARGV     name of the server, now, token of the lease, rest of the server (s)
-- Result   1, or 0 when the lease does not have the server (any more; then nothing changes)
-- Atomic   all of it.
-- Bounded  one key.

local key = string.sub(KEYS[1], 1, -2) .. 'v:' .. ARGV[1]
local v = redis.call('HMGET', key, 'holder', 'ready')
if v[1] ~= ARGV[3] then return 0 end
local ready = tonumber(v[2] or ARGV[2])
if not ready then error('DAMAGED ' .. key .. ': not a number', 0) end
redis.call('HDEL', key, 'holder', 'until')
redis.call('HSET', key, 'ready', string.format('%.17g', math.max(ready, ARGV[2] + ARGV[4])))
return 1
