-- release: give a leased URL back unharmed, in its old place or at another priority, with no attempt counted.
--
-- KEYS[1]  {…}:m
-- ARGV     now, token, fetched (1, 0: whether the host's delay starts), delay (s), priority or '', hash of the URL,
--          least rest of the host (s)
-- Result   1, or 0 when the token is not held (then nothing changes)
-- Atomic   all of it.
-- Bounded  one URL, one host.

local now = number(ARGV[1], 'now')
local H, rid, priority = strike(ARGV[2])
if not H then return 0 end
if ARGV[5] ~= '' then set_priority(rid, priority, number(ARGV[5], 'priority'), ARGV[6]) end
give_back(H, rid, priority)
end_lease(H, now, math.max(number(ARGV[7], 'rest'), ARGV[3] == '1' and delay_of(H, tonumber(ARGV[4])) or 0))
save_all()
return 1
