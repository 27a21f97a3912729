-- discard: drop all that is queued on a host, by hand; its verdict is that of a strategy that discards it.
--
-- KEYS[1]  {…}:m
-- ARGV     host
-- Result   how many URLs were dropped; -1 if nothing is known of the host or it is discarded already
-- Atomic   all of it.
-- Bounded  one host, at most 16 lists; sweep.lua clears up behind it.

local H = load_host(ARGV[1])
if H.discarded or not (H.stored_k or H.stored_l or H.stored_c or H.stored_r) then return -1 end
local before = M.queued
judge(H, H.precedence, true, H.override, H.offset)
save_all()
return before - M.queued
