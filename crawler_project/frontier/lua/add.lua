-- add: queue entries that were never seen, improve those that are queued (R5).
--
-- KEYS[1]  {…}:m
-- ARGV     entries, as add_entries of discovery.lua reads them
-- Result   {added, improved, {numbers of entries that wait for a sweep of their host}}
-- Atomic   all of it: either every entry is seen and queued, or none.
-- Bounded  by the number of entries (the client sends at most 500) and 4 splits of a bucket of the seen-set.

refuse_if_full()
local added, improved, deferred = add_entries(1)
save_all()
return {added, improved, deferred}
