/**
 * Keeps what this release stores, for the test that starts later ones on it (test/start/upgrade.test.ts):
 * a data folder as a killed service leaves it, and the answers that it gave. Run once a release:
 * `node scripts/run.mjs test/start/former/keep-release.ts`.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import packageJson from '../../../package.json' with { type: 'json' };
import { seededRandom } from '../../simulation/random.ts';
import { telling } from '../../simulation/reported.ts';
import { createReportedWorld } from '../../simulation/reported-world.ts';
import { plannedStretches } from '../../simulation/viewers.ts';
import { createWorld, publicationsPerAccount } from '../../simulation/world.ts';
import { addProcessAccount } from '../../support/process-accounts.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { waitUntil } from '../../support/wait-until.ts';

const seed = 20;
const range = 'sdate=2025-12-31&edate=2026-11-01';
const measures = 'plays,playMs,views,viewers,averagePlayMs,mediaMs';
const dimensions = [
  ...['date', 'os', 'os,osVersion', 'device', 'host', 'page', 'referrer', 'player', 'viewerKind'],
  ...['label.plan', 'video', 'package', 'folder', 'weekday'],
];
const statistics = '/report/statistics/video';

const service = await startServiceProcess();
const { url } = service;
const world = await createWorld({ url, addAccount: (zone) => addProcessAccount(service, zone) }, [
  'Asia/Seoul',
]);
const [account] = world.accounts;
if (!account) throw new Error('there is an account');
const { key } = account;
const ask = async (path: string) => {
  const response = await fetch(url + path, { headers: { 'x-api-key': key } });
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
};

// The folder is opened for years.
await fetch(`${url}/manage/v1/account`, {
  method: 'PATCH',
  headers: { 'x-api-key': key, 'content-type': 'application/json' },
  body: JSON.stringify({ factsMonths: 1_200 }),
});
await createReportedWorld(world, [0]);
const samples = fc.sample(plannedStretches(publicationsPerAccount, 120), { seed, numRuns: 30 });
const [longest = []] = samples.toSorted((one, other) => other.length - one.length);
const planned = telling(longest, 'server', seededRandom(seed));
const half = Math.ceil(planned.length / 2);
await world.play(planned.slice(0, half));

const { packageId, accessKey } = world.publications[0] ?? { packageId: 0, accessKey: '' };
const paths = [
  ...['info/date', 'os'].map((name) => `${statistics}/v1/${name}?${range}&pageSize=1000`),
  `${statistics}/v1/info/date/hour?date=2026-03-08&pageSize=24`,
  `${statistics}/v1/os/detail?${range}&os=iOS`,
  ...dimensions.map(
    (name) => `${statistics}/v2/query?${range}&measures=${measures}&dimensions=${name}`,
  ),
  `${statistics}/v2/concurrency?${range}&interval=day`,
  `${statistics}/v2/retention?${range}&accessKey=${accessKey}`,
  `/info/videopack/package/v1/videos.json?packageId=${packageId}`,
  '/info/videopack/package/v1/info.json',
  '/info/videopack/folder/v1/info.json',
  '/manage/v1/videos',
  '/manage/v1/labels',
];
const askAll = async () => {
  const answers: Record<string, unknown> = {};
  for (const path of paths) answers[path] = await ask(path);
  return answers;
};
await waitUntilQuiet();
await world.play(planned.slice(half));
// What was acknowledged last is in the journal alone.
await service.kill('SIGKILL');

const name = join(import.meta.dirname, packageJson.version);
execFileSync('tar', ['-czf', `${name}.tar.gz`, '-C', service.dataFolder, '.']);
await service.start();
await waitUntilQuiet();
writeFileSync(`${name}.json`, `${JSON.stringify({ key, answers: await askAll() }, null, 1)}\n`);
await service.remove();

/** All days are settled, and nothing is summed any more. */
async function waitUntilQuiet(): Promise<void> {
  await waitUntil('answers stay as they are for as long as it takes to settle a day', async () => {
    const before = await askAll();
    await setTimeout(15_000);
    return withoutIds(before) === withoutIds(await askAll());
  });
}

function withoutIds(answers: object): string {
  return JSON.stringify(answers).replaceAll(/"(requestId|nextToken)":"[^"]*"/g, '');
}
