/** History from a file, beside a service that runs and without one. */
import { spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let service: ServiceProcess;
let accessKey: string;
beforeAll(async () => {
  service = await startServiceProcess();
  const where = ['--account', '1', '--folder', '1', '--title', 'History'];
  accessKey = String((await service.run('video', 'add', ...where)).accessKey);
  const what = ['--account', '1', '--package', '1', '--access-key', accessKey];
  await service.run('package', 'add', ...what);
});
afterAll(() => service?.remove());

const days = 40;
const viewsPerDay = 60;

/** One view a line, half a minute each, over forty days years ago. */
function history(perDay = viewsPerDay, year = 2019): string[] {
  return Array.from({ length: days * perDay }, (_, index) => {
    const day = Math.floor(index / perDay);
    const at = new Date(Date.UTC(year, 2, 1 + day, 10, index % 60)).toISOString();
    const viewer = { userAgent: '(SM-G991N; Android 14) App/1.2' };
    const about = { accessKey, packageId: 1, ...viewer };
    return JSON.stringify({ view: `${year}-${index}`, stretch: 0, at, playMs: 30_000, ...about });
  });
}

test('a file of which some was refused is imported again, without effect', async () => {
  const file = join(service.dataFolder, 'history.jsonl');
  const bad = ['{"view":', '', 'x'.repeat(100_000), '{"view":"v","stretch":0}'];
  await writeFile(file, `\ufeff${[...history(), ...bad].join('\n')}`);
  const counts = { accepted: days * viewsPerDay, rejected: 3, erased: 0 };
  for (let run = 1; run <= 2; run += 1) {
    const report = join(service.dataFolder, 'refused.jsonl');
    const { code, printed, complaints } = await startImport(file, '--report', report).ended;
    expect({ code, counts: JSON.parse(printed) }).toEqual({ code: 1, counts });
    const reported = (await readFile(report, 'utf8')).trimEnd().split('\n');
    expect(reported.map((line) => JSON.parse(line))).toEqual(
      [1, 3, 4].map((line) => ({
        line: days * viewsPerDay + line,
        code: expect.stringMatching(/^[A-Z_]+$/),
        reason: expect.any(String),
      })),
    );
    expect(complaints.match(/^line \d+: /gm)).toEqual(
      [1, 3, 4].map((line) => `line ${days * viewsPerDay + line}: `),
    );
    expect(complaints).toMatch(/^line 2401: .*not valid JSON$/m);
    expect(complaints).toMatch(/^line 2404: .*at: is required$/m);
    await expectCounted();
  }
});

test('what was interrupted goes on where it was, and counts once', async () => {
  const file = join(service.dataFolder, 'long.jsonl');
  const perDay = 2_000;
  const lines = history(perDay, 2017);
  const bad = ['{"view":', '', 'no beacon'];
  await writeFile(file, [...bad, ...lines, ...bad].join('\n'));
  const counts = { accepted: days * perDay, rejected: 4, erased: 0 };

  const first = startImport(file);
  await killWhenKept(first);
  const report = join(service.dataFolder, 'second-half.jsonl');
  const second = await startImport(file, '--report', report).ended;
  expect(second.code).toBe(1);
  expect((await readFile(report, 'utf8')).match(/^\{"line":\d+/gm)).toHaveLength(2);
  expect(second.complaints).toMatch(/^continues after line [1-9]\d{3,};/);
  // Refusals before the position were reported by the first run, later ones with their line.
  const last = days * perDay + bad.length;
  expect(second.complaints.match(/^line \d+: /gm)).toEqual([
    `line ${last + 1}: `,
    `line ${last + 3}: `,
  ]);
  expect(JSON.parse(second.printed)).toEqual(counts);
  await expectCounted('2017', perDay);
});

test('a file that was changed starts over, and so does any file with --from-start', async () => {
  const file = join(service.dataFolder, 'changed.jsonl');
  const lines = history(1_000, 2016);
  const breakOff = async () => {
    await writeFile(file, [...lines, ...lines].join('\n'));
    await killWhenKept(startImport(file));
  };
  await breakOff();
  const anew = await startImport(file, '--from-start').ended;
  expect(anew.complaints).toBe('');
  expect(JSON.parse(anew.printed)).toEqual({ accepted: 2 * days * 1_000, rejected: 0, erased: 0 });

  await breakOff();
  await writeFile(file, lines.join('\n'));
  const changed = await startImport(file).ended;
  expect(changed.complaints).toBe('');
  expect(JSON.parse(changed.printed)).toEqual({ accepted: days * 1_000, rejected: 0, erased: 0 });
  await expectCounted('2016', 1_000);

  const again = await startImport(file).ended;
  expect(again.complaints).toBe(
    `imported before, ${days * 1_000} lines; --from-start starts over\n`,
  );
  expect(again.printed).toBe(changed.printed);
});

test('what is of days whose single facts are erased is accepted, and said to count nowhere', async () => {
  const file = join(service.dataFolder, 'erased.jsonl');
  const [old, older, kept] = history(1, 2014);
  await writeFile(file, [old, older].join('\n'));
  expect(await service.run('beacons', 'import', '--account', '1', file)).toEqual({
    ...{ accepted: 2, rejected: 0, erased: 0 },
  });
  await service.run('erase', '--account', '1', '--before', '2015-01-01');
  const later = kept?.replaceAll('2014-', '2015-');
  await writeFile(file, [old, later, older].join('\n'));
  const anew = await startImport(file).ended;
  expect({ ...anew, printed: JSON.parse(anew.printed) }).toEqual({
    ...{ code: 0, complaints: '' },
    printed: { accepted: 3, rejected: 0, erased: 2 },
  });
  const again = await startVerb('beacons', 'import', '--account', '1', file).ended;
  expect(again.printed).toBe(
    '3 beacons accepted, 0 rejected\n' +
      '2 of them count nowhere: their playback was erased before, or is of days whose single ' +
      'facts are erased; see `playmeter erasure list` and the ledger\n',
  );
});

test('standard input is imported while no service runs; another import is refused meanwhile', async () => {
  await service.kill('SIGTERM');
  const later = history(viewsPerDay, 2020);
  const imports = [startImport('-'), startImport('-')];
  // The one that takes the folder waits for its input: the other is the first to end.
  const refused = await Promise.race(imports.map(({ ended }) => ended));
  expect(refused).toMatchObject({ code: 1, printed: '' });
  expect(refused.complaints).toMatch(
    /^playmeter beacons import: Another import uses .+: run this one when it has ended\./,
  );
  for (const { child } of imports) if (child.exitCode === null) child.stdin.end(later.join('\n'));
  const results = await Promise.all(imports.map(({ ended }) => ended));
  const { code, printed } = results.find((result) => result !== refused) ?? refused;
  expect(code).toBe(0);
  expect(JSON.parse(printed)).toEqual({ accepted: days * viewsPerDay, rejected: 0, erased: 0 });
  await service.start();
  await expectCounted();
  await expectCounted('2020');
});

test('an account or a file that is not there is said so', async () => {
  await expect(service.run('beacons', 'import', '--account', '77', '-')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no account 77'),
  });
  const file = join(service.dataFolder, 'none.jsonl');
  await expect(service.run('beacons', 'import', '--account', '1', file)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('none.jsonl'),
  });
});

interface Counted {
  readonly videoCount: string;
  readonly duration: string;
}

async function expectCounted(year = '2019', perDay = viewsPerDay): Promise<void> {
  const query = new URLSearchParams({ sdate: `${year}-01-01`, edate: `${year}-12-31` });
  const path = `/report/statistics/video/v1/info/date?${query}&pageSize=100`;
  const ask = async () => {
    const response = await fetch(service.url + path, { headers: { 'x-api-key': service.key } });
    const { data } = (await response.json()) as { data?: { list: Counted[] } };
    // A store that does not answer in time is a 503.
    return data?.list ?? [];
  };
  await waitUntil('the days of the history', async () => (await ask()).length === days);
  const expected = { videoCount: String(perDay), duration: String(perDay * 30) };
  for (const row of await ask()) expect(row).toMatchObject(expected);
}

/** Kills it on the way, as soon as it has kept how far it is. */
async function killWhenKept({ child, ended }: ReturnType<typeof startImport>): Promise<void> {
  const folder = join(service.dataFolder, 'imports');
  const positions = async () => {
    const names = await readdir(folder).catch(() => []);
    const kept = names.filter((name) => name.endsWith('.json'));
    return Promise.all(kept.map((name) => readFile(join(folder, name), 'utf8')));
  };
  const isKept = async () =>
    (await positions()).some((kept) => kept.includes('"isFinished":false'));
  await waitUntil('a position to be kept', isKept);
  child.kill('SIGKILL');
  await expect(ended).rejects.toThrow();
}

function startImport(...words: string[]) {
  return startVerb('beacons', 'import', '--account', '1', ...words, '--json');
}

/** `ended` rejects where it is killed. */
function startVerb(...words: string[]) {
  const child = spawn(process.execPath, [program, ...words], {
    env: {
      ...process.env,
      DATA_DIR: service.dataFolder,
      NODE_NO_WARNINGS: '1',
      LOG_LEVEL: 'error',
    },
  });
  const ended = new Promise<{ code: number; printed: string; complaints: string }>(
    (resolve, reject) => {
      let [printed, complaints] = ['', ''];
      child.stdout.on('data', (chunk) => {
        printed += chunk;
      });
      child.stderr.on('data', (chunk) => {
        complaints += chunk;
      });
      child.once('close', (code, signal) =>
        code === null ? reject(new Error(`${signal}`)) : resolve({ code, printed, complaints }),
      );
    },
  );
  return { child, ended };
}
