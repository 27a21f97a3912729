-- reclaim: queue again the URLs of leases that have expired (their worker died, or stands still).
--
-- KEYS[1]  {…}:m
-- ARGV     now, limit, delay (s), max_expired
-- Result   how many leases were taken back; those that expired max_expired times are buried as dead
-- Atomic   all of it. Any worker may call it.
-- Bounded  by limit, at most 200.

local count = reclaim(number(ARGV[1], 'now'), math.min(tonumber(ARGV[2]), 200), tonumber(ARGV[3]), tonumber(ARGV[4]))
save_all()
return count
