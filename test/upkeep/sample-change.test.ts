/**
 * What ARCHITECTURE.md says of a measure and a dimension: the files named there are enough for each to
 * compile and to answer, also for days that are settled and counted. A copy of the tree is changed so.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** What takes the place of a text, which stands in its file once. */
type Change = readonly [file: string, text: string, written: string];

const put = (file: string, before: string, added: string): Change => [file, before, added + before];

const measure = [
  put(
    'src/vocabulary/measures.ts',
    '  views: {\n',
    `  firstStretchMs: {
    title: 'First stretches',
    unit: 'ms',
    additive: true,
    example: 1_000,
    definition: 'Playback time of first stretches',
  },
`,
  ),
  put(
    'src/query/plan/counts.ts',
    '  views: distinctViews(',
    `  firstStretchMs: {
    kind: 'sum',
    value: 'if(stretch = 0, countedMs, 0)',
    isBounded: true,
    ofDays: fromFacts,
  },
`,
  ),
];

const last = readFileSync('src/store/migrations/0002-quality.ts', 'utf8');
const groupings = /grouping Enum8\(('total'[^)]+)\)/.exec(last)?.[1];
const lowCardinality = 'SimpleAggregateFunction(max, LowCardinality(String))';

/** With a column of its own. */
const dimension = [
  put(
    'src/vocabulary/dimensions.ts',
    '  host: {\n',
    `  edition: {
    kind: 'audience',
    order: 'text',
    example: 'first',
    definition: 'Edition of the page',
  },
`,
  ),
  put(
    'src/query/labels/dimension-sql.ts',
    "  host: stored('host'),\n",
    "  edition: stored('edition'),\n",
  ),
  put(
    'src/store/tables/audience.ts',
    "  'referrer',\n  'player',\n  ...labelColumns,\n  'streamType',",
    "  'edition',\n",
  ),
  put(
    'src/store/tables/audience.ts',
    "  toldReferrer: { referrer: afterRank('toldReferrer') },\n",
    "  toldEdition: { edition: afterRank('toldEdition') },\n",
  ),
  put(
    'src/store/tables/audience.ts',
    "  referrer: detail(26, 'referrer'),\n",
    "  edition: detail(50, 'edition'),\n",
  ),
];

const migration: Change = [
  'src/store/migrations/migrations.ts',
  'playerStates];',
  `playerStates, { name: '0004-edition', statements: [
    \`ALTER TABLE stretch
      ADD COLUMN IF NOT EXISTS toldEdition ${lowCardinality} CODEC(ZSTD) AFTER toldReferrer,
      ADD COLUMN IF NOT EXISTS edition LowCardinality(String) ALIAS substring(toldEdition, 2)\`,
    \`ALTER TABLE irregular_fact ADD COLUMN IF NOT EXISTS edition ${lowCardinality}\`,
    \`ALTER TABLE audience_day MODIFY COLUMN grouping Enum8(${groupings}, 'edition' = 50)\`,
  ] }];`,
];

const node = process.execPath;
const copiedTest = 'test/upkeep/sample-change/added-fields.test.ts';
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'playmeter-sample-'));
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
  for (const file of files.filter(Boolean)) cpSync(file, join(copy, file));
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  for (const [file, text, written] of [...measure, ...dimension, migration]) {
    const path = join(copy, file);
    const parts = readFileSync(path, 'utf8').split(text);
    expect(parts, `${text.trim()} stands once in ${file}`).toHaveLength(2);
    writeFileSync(path, parts.join(written));
  }
  cpSync('test/upkeep/sample-change/added-fields.ts', join(copy, copiedTest));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const options = { tags: 'long' as const, timeout: 1_800_000 };

test('it compiles', options, () => {
  writeFileSync(
    join(copy, 'tsconfig.sample.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['src/main.ts', copiedTest] }),
  );
  const compiler = 'node_modules/typescript/bin/tsc';
  expect(outcomeOf([compiler, '-p', 'tsconfig.sample.json'])).toEqual({ status: 0, said: '' });
});

test('both answer for counted days of 300,000 plays', options, () => {
  const vitest = 'node_modules/vitest/vitest.mjs';
  const { status, said } = outcomeOf([vitest, 'run', copiedTest, '--maxWorkers=1']);
  expect(status, said).toBe(0);
});

function outcomeOf(command: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(node, command, { cwd: copy, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}
