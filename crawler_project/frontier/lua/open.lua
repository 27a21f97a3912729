-- open: make a crawl, or say which one is there.
--
-- KEYS[1]  {…}:m
-- ARGV     layout, identity (JSON)
-- Result   {layout, identity} as stored
-- Atomic   all of it: of two workers that start at once, one makes the crawl.
-- Bounded  constant.
-- This script stands alone: base.lua expects a crawl.

local stored = redis.call('HMGET', KEYS[1], 'layout', 'identity')
if stored[1] then return stored end
local FIRST_LEVEL = 10 -- 1024 buckets of the seen-set, 90 KB: none is split before a crawl has seen 195,000 URLs
redis.call('HSET', KEYS[1], 'layout', ARGV[1], 'identity', ARGV[2], 'numbers',
  struct.pack('>ddddddddddddd', 0, 0, 0, 0, FIRST_LEVEL, 0, 0, 0, 0, -math.huge, 0, 0, 0))
return {ARGV[1], ARGV[2]}
