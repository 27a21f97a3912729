-- take_server: have a server that several hosts share, or be told when to come again (server_book.py).
--
-- KEYS[1]  {…}:m
-- ARGV     name of the server, now, token of the lease, until when the lease holds, step (s) between two turns, turns
--          that are given out ahead
-- Result   '0': the lease has the server, or has it still; otherwise seconds until its turn
-- Atomic   all of it: no two leases have a server at once, and none has it before it is ready.
-- Bounded  one key, that goes away by itself a minute after its last date.

local key = string.sub(KEYS[1], 1, -2) .. 'v:' .. ARGV[1]
local now, token, expiry = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local step, most = tonumber(ARGV[5]), tonumber(ARGV[6])
local v = redis.call('HMGET', key, 'holder', 'until', 'ready', 'turn')
local holder, held_until = v[1], tonumber(v[2] or now)
local ready, turn = tonumber(v[3] or now), tonumber(v[4] or now)
if not (held_until and ready and turn) then error('DAMAGED ' .. key .. ': not a number', 0) end

local function keep(last)
  redis.call('PEXPIRE', key, string.format('%.0f', math.max(last - now + 60, 60) * 1000))
end

local is_busy = holder and holder ~= token and held_until > now
if not is_busy and ready <= now then
  redis.call('HSET', key, 'holder', token, 'until', ARGV[4])
  keep(math.max(expiry, turn))
  return '0'
end
turn = math.min(math.max(turn, is_busy and now + step or ready), now + most * step)
redis.call('HSET', key, 'turn', string.format('%.17g', turn + step))
keep(math.max(held_until, ready, turn))
return string.format('%.17g', turn - now)
