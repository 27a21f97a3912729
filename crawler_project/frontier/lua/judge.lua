-- judge: apply verdicts on hosts of this shard that a page of another shard brought.
--
-- KEYS[1]  {…}:m
-- ARGV     five for each: host, precedence, discard (1, 0), override or '-', offset
-- Result   nil
-- Atomic   all of it.
-- Bounded  by the number of verdicts.

for i = 1, #ARGV, 5 do
  local override = ARGV[i + 3]
  judge(load_host(ARGV[i]), number(ARGV[i + 1], 'precedence'), ARGV[i + 2] == '1',
    override ~= '-' and number(override, 'override') or nil, number(ARGV[i + 4], 'offset'))
end
save_all()
