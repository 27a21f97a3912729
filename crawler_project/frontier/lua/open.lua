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
redis.call('HSET', KEYS[1], 'layout', ARGV[1], 'identity', ARGV[2], 'rid', 0, 'seen', 0, 'queued', 0,
  'dead', 0, 'level', 0, 'split', 0, 'garbage', 0, 'dropped', 0, 'kept', 0, 'worst', '-inf', 'pages', 0, 'targets', 0,
  'paused', 0)
return {ARGV[1], ARGV[2]}
