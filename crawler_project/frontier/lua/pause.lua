-- pause: lease.lua gives nothing to any worker until the crawl goes on.
--
-- KEYS[1]  {…}:m
-- ARGV     1 to pause, 0 to go on
-- Result   1 if that is a change
-- Atomic   all of it.
-- Bounded  constant.

local before = M.paused
M.paused = ARGV[1] == '1' and 1 or 0
save_meta()
return before ~= M.paused and 1 or 0
