/**
 * npm run mutate [AREA ...]: puts one small fault after another into the code and counts which of
 * them the tests notice. A verdict is kept and reused until its code or tests change. The scores,
 * and the faults that may stay, stand in docs/decisions/mutation-testing.md.
 */
import { parseArgs } from 'node:util';
import { areas } from './mutation/areas.ts';
import { judgeArea } from './mutation/judge-area.ts';
import { timedOut } from './mutation/verdicts.ts';
import { inTestFolder } from './test-folder.ts';

/** Percent of the faults in an area that its tests have to notice. */
const leastScore = 85;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: '2' } },
});
const unknown = positionals.filter((name) => !(name in areas));
if (unknown.length > 0) {
  console.error(`No such area: ${unknown.join(', ')}. There are: ${Object.keys(areas).join(', ')}`);
  process.exit(2);
}

const scores = await inTestFolder(judgeAreas);
console.table(scores);
if (scores.some(({ score }) => score < leastScore)) process.exitCode = 1;

async function judgeAreas(folder: string) {
  process.env.TMPDIR = folder;
  const judged = [];
  for (const [name, area] of Object.entries(areas)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const faults = await judgeArea(name, area, Number(values.concurrency));
    const survivors = faults.filter(({ noticedBy }) => noticedBy === undefined);
    for (const { place, change, reachedBy } of survivors) {
      console.log(`${place}${reachedBy === 0 ? ' (never run)' : ''}\n    ${change}\n`);
    }
    const noticed = faults.length - survivors.length;
    const score = Math.round((1_000 * noticed) / faults.length) / 10;
    const late = faults.filter(({ noticedBy }) => noticedBy?.endsWith(timedOut)).length;
    judged.push({ area: name, faults: faults.length, noticed, timedOut: late, score });
  }
  return judged;
}
