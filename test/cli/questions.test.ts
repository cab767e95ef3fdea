/** Every command of docs/questions.md, beside a service that has a known history of playback. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Playmeter } from '../../client/src/index.ts';
import type { QueryAnswer, QuerySchema } from '../../src/wire/questions/audience-messages.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import { program } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const execute = promisify(execFile);
/** Beside rows of countries, and not in them. */
const attribution = 'IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0\n';
/** Beside rows with viewers: all views of this history are of viewers that the page named. */
const basisOf = (views: number) =>
  `Views by how their viewer is known: ${views} by a name from the page, ` +
  '0 as an anonymous viewer of the day, 0 not at all\n';
const qualityBasis =
  'Quality rests on 0 attempts that were reported, beside 6 views in the range\n';
const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/questions.md'), 'utf8');
const commands = [...page.matchAll(/```sh\n(.*?)```/gs)]
  .flatMap(([, lines = '']) => lines.trim().split('\n'))
  .filter((line) => line !== '');
const local = commands.filter((line) => line.startsWith('playmeter '));
const remote = commands.filter((line) => line.startsWith('curl '));

/** The library, by original key: how long each video is, if that is known. */
const videos = { film: 60_000, news: 120_000, talk: undefined };
const phone = {
  address: '168.126.63.1',
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
};
const desktop = {
  address: '8.8.8.8',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
};
const magazine = 'https://example.com/magazine/one';
const films = 'https://example.com/films';
/** All that was ever watched: which video, when, by whom, from where of it, and for how long. */
const history = [
  ['news', '2026-08-31T10:00:00Z', 'bob', 0, 20, desktop, films],
  ['film', '2026-09-12T20:15:00Z', 'ada', 0, 30, phone, magazine],
  ['film', '2026-10-05T09:10:00Z', 'ada', 0, 60, phone, magazine],
  ['film', '2026-10-06T20:15:00Z', 'bob', 0, 30, desktop, films],
  ['talk', '2026-10-17T20:30:00Z', 'dan', 0, 120, { ...desktop, address: '193.99.144.80' }, films],
  ['film', '2026-10-31T20:15:00Z', 'cat', 0, 15, phone, magazine],
  ['film', '2026-10-31T20:15:05Z', 'ada', 15, 45, { ...desktop, address: phone.address }, films],
  ['news', '2026-10-31T21:00:00Z', 'bob', 0, 90, desktop, 'https://example.com/news'],
] as const;

let service: ServiceProcess;
let account: TestAccount;
beforeAll(async () => {
  service = await startServiceProcess();
  account = await addProcessAccount(service, 'UTC');
  const client = new Playmeter({ url: service.url, key: account.key });
  const packageId = await account.addPackage();
  const { folderId } = await client.manage.addFolder({ folderName: 'All' });
  for (const [accessKey, duration] of Object.entries(videos)) {
    const fields = { folderId, title: `The ${accessKey}`, duration: duration ?? 0 };
    await client.manage.putVideo(accessKey, fields);
    await account.publish(packageId, accessKey);
  }
  const beacons = history.map(
    ([accessKey, at, viewer, fromSeconds, seconds, device, url], view) => ({
      ...{ view: `view ${view}`, stretch: 0, at, playMs: seconds * 1_000, accessKey, packageId },
      ...{ position: fromSeconds * 1_000, mediaMs: seconds * 1_000, viewer, page: url, ...device },
    }),
  );
  const { accepted } = await client.beacons.send(beacons);
  expect(accepted).toBe(history.length);
  const range = { sdate: '2026-08-01', edate: '2026-10-31', measures: ['plays'] } as const;
  const plays = async () => (await client.statistics.query(range)).totals.plays;
  await waitUntil('the plays are counted', async () => (await plays()) === history.length);
});
afterAll(() => service?.remove());

const october = 'query --account 1 --from 2026-10-01 --to 2026-10-31 --measures';
/** What each command of the page prints for that history: cells of lines, reckoned by hand. */
const answers: Readonly<Record<string, readonly string[]>> = {
  [`${october} plays,playMs,views,viewers`]: ['plays|playMs|views|viewers', '6|360000|6|4'],
  [`${october} plays --by video --limit 10`]: [
    ...['video|videoTitle|plays', 'film|The film|4', 'news|The news|1', 'talk|The talk|1'],
    'total|-|6',
  ],
  [`${october} playMs --by video --limit 10`]: [
    ...['video|videoTitle|playMs', 'film|The film|150000', 'talk|The talk|120000'],
    ...['news|The news|90000', 'total|-|360000'],
  ],
  [`${october} viewers --by video --limit 10`]: [
    ...['video|videoTitle|viewers', 'film|The film|3', 'news|The news|1', 'talk|The talk|1'],
    'total|-|4',
  ],
  // Of the 31 days before, the last of August is one.
  [`${october} plays,playMs,viewers --by video --compare previous --limit 10`]: [
    'video|videoTitle|plays|playMs|viewers|previous.plays|previous.playMs|previous.viewers',
    'film|The film|4|150000|3|1|30000|1',
    'news|The news|1|90000|1|1|20000|1',
    'talk|The talk|1|120000|1|-|-|-',
    'total|-|6|360000|4|2|50000|2',
  ],
  'query --account 1 --from 2026-09-01 --to 2026-10-31 --measures plays,playMs,viewers --by month':
    [
      ...['month|plays|playMs|viewers', '2026-09-01|1|30000|1', '2026-10-01|6|360000|4'],
      'total|7|390000|4',
    ],
  [`${october} averagePlayMs,averageSeen,completions --by video`]: [
    'video|videoTitle|averagePlayMs|averageSeen|completions',
    ...['talk|The talk|120000|-|0', 'news|The news|90000|0.75|0', 'film|The film|37500|0.625|1'],
    'total|-|60000|0.6667|1',
  ],
  [`${october} views,reached25,reached50,reached75,reached100 --by video`]: [
    'video|videoTitle|views|reached25|reached50|reached75|reached100',
    ...['film|The film|4|4|3|2|2', 'news|The news|1|1|1|1|0', 'talk|The talk|1|0|0|0|0'],
    'total|-|6|5|4|3|2',
  ],
  'retention --account 1 --access-key ACCESS_KEY --from 2026-10-01 --to 2026-10-31': [
    '4 views of 60000 ms, 4 with positions, saw 0.625 of it on average',
    'part|fromMs|toMs|audience|watched',
    // Until 15 s three of four, until 30 s three others, and from then on two.
    ...Array.from({ length: 100 }, (_, part) => {
      const audience = part < 50 ? 3 : 2;
      return [part, part * 600, (part + 1) * 600, audience, audience / 4].join('|');
    }),
  ],
  [`${october} plays,viewers --by country`]: [
    ...['country|plays|viewers', 'KR|3|2', 'US|2|1', 'DE|1|1', 'total|6|4'],
  ],
  [`${october} plays,viewers --by device`]: [
    ...['device|plays|viewers', 'desktop|4|3', 'mobile|2|2', 'total|6|4'],
  ],
  [`${october} plays,viewers --by browser,browserVersion`]: [
    ...['browser|browserVersion|plays|viewers', 'Firefox|145|4|3', 'Chrome|141|2|2', 'total|-|6|4'],
  ],
  [`${october} plays,viewers --by page`]: [
    ...['page|plays|viewers', 'example.com/films|3|3', 'example.com/magazine/one|2|2'],
    ...['example.com/news|1|1', 'total|6|4'],
  ],
  [`${october} plays --by video,page --filter 'country==KR;device==mobile;page=@/magazine/'`]: [
    ...['video|videoTitle|page|plays', 'film|The film|example.com/magazine/one|2', 'total|-|-|2'],
  ],
  'query --account 1 --from 2026-10-26 --to 2026-11-01 --measures playMs --by hour --sort -playMs --limit 1':
    ['hour|playMs', '2026-10-31T21:00:00+00:00|90000', 'total|150000'],
  [`${october} playMs --by weekday --sort -playMs`]: [
    ...['weekday|playMs', '6|270000', '1|60000', '2|30000', 'total|360000'],
  ],
  [`${october} playMs --by hourOfDay --filter 'weekday==6' --sort -playMs --limit 1`]: [
    ...['hourOfDay|playMs', '20|180000', 'total|270000'],
  ],
  [`${october} plays,playMs --by date --fill zero`]: [
    'date|plays|playMs',
    ...Array.from({ length: 31 }, (_, index) => {
      const day = index + 1;
      const watched = { 5: '1|60000', 6: '1|30000', 17: '1|120000', 31: '3|150000' }[day] ?? '0|0';
      return `2026-10-${String(day).padStart(2, '0')}|${watched}`;
    }),
    'total|6|360000',
  ],
  'concurrency --account 1 --from 2026-10-31 --to 2026-10-31 --interval day': [
    ...['time|peak|peakAt|average', '2026-10-31|2|2026-10-31T20:15:05.000+00:00|0.002'],
  ],
  // The history has no waits.
  [`${october} attempts,exitShare,startFailureShare,startupP50,startupP95,stalledTimeShare`]: [
    'attempts|exitShare|startFailureShare|startupP50|startupP95|stalledTimeShare',
    '0|-|-|-|-|-',
  ],
  [`${october} startupP95,stallsPerHour,bitrate --by mediaHost`]: [
    ...['mediaHost|startupP95|stallsPerHour|bitrate', 'Unknown|-|-|-', 'total|-|-|-'],
  ],
  [`${october} failures,startFailures --by error`]: [
    ...['error|failures|startFailures', 'Unknown|0|0', 'total|0|0'],
  ],
  'distribution --account 1 --from 2026-10-01 --to 2026-10-31 --measure startupMs': [
    '0 views, in ms: mean unknown, p50 unknown, p75 unknown, p95 unknown, p99 unknown',
    'from|to|views',
    ...['0|10|0', '10|13|0'],
    ...Array.from({ length: 48 }, (_, step) => {
      const bounds = [step + 1, step + 2].map((power) => Math.round(10 ** (1 + power / 10)));
      return `${bounds.join('|')}|0`;
    }),
    ...['794328|1000000|0', '1000000|-|0'],
  ],
};

test('the page has nothing but these commands', () => {
  expect([...local, ...remote].toSorted()).toEqual(commands.toSorted());
  const reckoned = Object.keys(answers).map((command) => `playmeter ${command}`);
  expect(local.filter((command) => !/ live /.test(command))).toEqual(reckoned);
});

async function run(command: string): Promise<string> {
  const line = command
    .replace('--account 1 ', `--account ${account.accountId} `)
    .replace(/--account 1$/, `--account ${account.accountId}`)
    .replace('ACCESS_KEY', 'film');
  const script = `playmeter() { "$NODE" "$PROGRAM" "$@"; }; ${line}`;
  const env = { ...process.env, DATA_DIR: service.dataFolder, NODE: process.execPath };
  const ran = await execute('sh', ['-c', script], { env: { ...env, PROGRAM: program } });
  const basis = /measures \S*viewers/.test(command) ? basisOf(/09-01/.test(command) ? 7 : 6) : '';
  const quality = /measures (attempts|startup|failures)/.test(command) ? qualityBasis : '';
  expect(ran.stderr).toBe(basis + quality + (/ --by country/.test(command) ? attribution : ''));
  return ran.stdout;
}

/** Cells are apart by two spaces or more, those of text on the left. */
function cellsOf(printed: string): string[] {
  const lines = printed.trimEnd().split('\n');
  return lines.map((line) => line.trim().split(/ {2,}/).join('|'));
}

test.each(Object.entries(answers))('playmeter %s', async (command, expected) => {
  expect(cellsOf(await run(`playmeter ${command}`))).toEqual(expected);
});

test('who watches now', async () => {
  const [command = ''] = local.filter((line) => line.startsWith('playmeter live '));
  const lines = cellsOf(await run(command));
  expect(lines[0]).toMatch(/^0 playing at 20/);
  expect(lines.slice(1, 5)).toEqual(['', 'video|videoTitle|playing', '', 'time|peak']);
  // The last half hour, minute by minute.
  expect(lines.slice(5).map((line) => line.split('|')[1])).toEqual(Array(30).fill('0'));
});

test.each(remote)('%s', async (command) => {
  const path = /'http:\/\/localhost:8080(.*)'/.exec(command)?.[1] ?? '';
  const response = await fetch(service.url + path, { headers: { 'x-api-key': account.key } });
  expect([path, response.status]).toEqual([path, 200]);
  const { data } = (await response.json()) as { data: QuerySchema };
  const names = data.measures.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['plays', 'averageSeen']));
});

test('the first rows, with how many there are and the totals of all', async () => {
  const asked = ['--from', '2026-10-01', '--to', '2026-10-31', '--measures', 'plays'];
  const by = ['--account', String(account.accountId), ...asked, '--by', 'video', '--limit', '2'];
  const { data } = (await service.run('query', ...by)) as unknown as QueryAnswer;
  expect(data).toMatchObject({ rowCount: 3, pageSize: 2, totals: { plays: 6 }, nextToken: '' });
  expect(data.list.map(({ video }) => video)).toEqual(['film', 'news']);
  const line = ['playmeter', 'query', ...by].join(' ');
  expect(await run(`${line} --csv`)).toBe(
    'video,videoTitle,plays\nfilm,The film,4\nnews,The news,1\n',
  );
  await expect(run(`${line} --limit 0`)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--limit must be a positive integer'),
  });
});

test('what is said beside a table is said beside CSV, and by the JSON itself', async () => {
  const line = local.find((command) => / --by country/.test(command)) ?? '';
  expect(await run(`${line} --csv`)).toBe('country,plays,viewers\nKR,3,2\nUS,2,1\nDE,1,1\n');
  const words = line.replace('--account 1', `--account ${account.accountId}`).split(' ').slice(2);
  const { data } = (await service.run('query', ...words)) as unknown as QueryAnswer;
  expect(data.viewerBasis).toEqual({ named: 6, daily: 0, none: 0 });
});

test('the table and the JSON of one question', async () => {
  const asked = ['--account', String(account.accountId), '--from', '2026-10-01'];
  const ofMonth = [...asked, '--to', '2026-10-31', '--measures', 'plays,averagePlayMs'];
  const by = [...ofMonth, '--by', 'month', '--compare', 'previous'];
  const before = { plays: 2, averagePlayMs: 25_000 };
  const own = { plays: 6, averagePlayMs: 60_000 };
  expect(await service.run('query', ...by)).toMatchObject({
    isSuccess: true,
    data: {
      list: [{ month: '2026-10-01', ...own, previous: before }],
      totals: { ...own, previous: before },
      rowCount: 1,
      nextToken: '',
    },
  });
  const line = ['playmeter', 'query', ...by].join(' ');
  expect(await run(line)).toBe(
    [
      'month       plays  averagePlayMs  previous.plays  previous.averagePlayMs',
      '2026-10-01      6          60000               2                   25000',
      'total           6          60000               2                   25000',
      '',
    ].join('\n'),
  );
  await expect(run(`${line} --sort clicks`)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--sort must be among what is asked for'),
  });
});
