-- add: queue entries that were never seen, improve those that are queued (R5).
--
-- KEYS[1]  {…}:m
-- ARGV     the view of the links that were left out, and entries, as discovery.lua reads them
-- Result   {added, improved, {numbers of entries that wait for a sweep of their host}, new view or ''}; added is -1 when
--          the view is not true any more: then nothing was changed, and links that were left out must be sent
-- Atomic   all of it: either every entry is seen and queued, or none.
-- Bounded  by the number of entries (the client sends at most 250) and 4 splits of a bucket of the seen-set.

if is_stale(ARGV[1]) then return {-1, 0, {}, view()} end
refuse_if_full()
local added, improved, deferred = add_entries(2)
save_all()
return {added, improved, deferred, new_view(ARGV[1])}
