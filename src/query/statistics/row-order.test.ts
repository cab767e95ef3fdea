/** Rows with the rest in one, as SQL. The order without it: compile.test.ts. */
import { expect, test } from 'vitest';
import { mostValues, orderRowsWithRest } from './row-order.ts';

const versions = `arrayMap(part -> if(match(part, '^[0-9]+$'),
  (0, length(replaceRegexpOne(part, '^0+', '')), replaceRegexpOne(part, '^0+', ''), part),
  (1, 0, '', part)), splitByChar('.', toString(label)))`;

test.each([
  ['os', 'os', 'asc', 'label ASC'],
  ['os', 'videoCount', 'desc', 'intDiv(plays, 1) DESC, label ASC'],
  ['detail', 'detail', 'desc', `${versions} DESC`],
  // A label that all rows share orders nothing.
  ['detail', 'os', 'desc', `${versions} ASC`],
  ['detail', 'duration', 'asc', `intDiv(playMs, 1000) ASC, ${versions} ASC`],
] as const)('%s by %s, %s', (label, sortData, sortDirection, orderBy) => {
  const listed = `place <= ${mostValues}`;
  expect(
    orderRowsWithRest('SELECT 1', label, { sortData, sortDirection }),
  ).toBe(`SELECT if(${listed}, value, 'Other') AS label, sum(if(${listed}, value_plays, rest_plays)) AS plays, sum(if(${listed}, value_playMs, rest_playMs)) AS playMs
FROM (
SELECT value, value_plays, value_playMs, toUInt64(all_plays - sum(value_plays) OVER () + value_plays) AS rest_plays, toUInt64(all_playMs - sum(value_playMs) OVER () + value_playMs) AS rest_playMs,
  row_number() OVER (ORDER BY value_plays DESC, value_playMs DESC, value) AS place
FROM (
SELECT label AS value, plays AS value_plays, playMs AS value_playMs, sum(plays) OVER () AS all_plays, sum(playMs) OVER () AS all_playMs
FROM (
SELECT 1
)
ORDER BY value_plays DESC, value_playMs DESC, value
LIMIT ${mostValues + 1}
)
)
GROUP BY label
ORDER BY ${orderBy}`);
});
