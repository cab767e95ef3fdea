/** The documented way from one node to several, command by command, with everything kept. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dropDatabase } from '../support/drop-database.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import { program } from '../support/program.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { createDatabase, engineAccess } from '../support/shared-parts.ts';
import { waitUntil } from '../support/wait-until.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const beganMs = Date.now();
const day = (days: number) => new Date(beganMs + days * 86_400_000).toISOString().slice(0, 10);
const range = `sdate=${day(-9)}&edate=${day(1)}`;

let folder: string;
let old: ServiceProcess;
let account: TestAccount;
let videoKey: string;
const nodes: ServiceProcess[] = [];
const database = `moved_${randomUUID().replaceAll('-', '')}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-one-to-many-'));
  // The engine of all tests has a database for each: the bundled one gets its name.
  old = await startServiceProcess({ CLICKHOUSE_DATABASE: database });
  account = await addProcessAccount(old, 'Asia/Seoul');
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
});
afterAll(async () => {
  for (const node of [old, ...nodes]) await node?.remove();
  const engine = engineAccess();
  await dropDatabase({ ...engine, urls: [engine.url] }, database);
  await rm(folder, { recursive: true, force: true });
});

async function send(service: ServiceProcess, views: number, playMs: number): Promise<void> {
  const beacons = Array.from({ length: views }, (_, number) => ({
    ...{ view: `view ${number}`, stretch: 0, playMs, viewer: `viewer ${number % 7}`, videoKey },
    at: `${day(-1 - (number % 5))}T12:00:00Z`,
  }));
  const sent = await fetch(`${service.url}/collect/v1/beacons`, {
    ...{ method: 'POST', headers: { 'x-api-key': account.key } },
    body: JSON.stringify({ beacons }),
  });
  expect(await sent.json()).toEqual({ accepted: views, rejected: [] });
}

async function answersOf(service: ServiceProcess): Promise<unknown[]> {
  const questions = [
    'v2/query?measures=plays,playMs,views,viewers&dimensions=date',
    'v2/query?measures=plays,playMs&dimensions=video',
    'v1/info/date?',
    'v2/concurrency?interval=hour',
  ];
  const asked = questions.map(async (question) => {
    const path = `/report/statistics/video/${question}&${range}`.replace('?&', '?');
    const answer = await fetch(service.url + path, { headers: { 'x-api-key': account.key } });
    const { data } = (await answer.json()) as { data: { requestId: string } };
    const { requestId: _, ...rest } = data;
    return rest;
  });
  return Promise.all(asked);
}

const playMsOf = (answers: unknown[]) =>
  [...JSON.stringify(answers[1]).matchAll(/"playMs":(\d+)/g)].map(([, ms]) => Number(ms))[0];

async function untilPlayed(service: ServiceProcess, playMs: number): Promise<unknown[]> {
  let answers: unknown[] = [];
  await waitUntil(`${playMs} ms of playback`, async () => {
    answers = await answersOf(service);
    return playMsOf(answers) === playMs;
  });
  return answers;
}

/** The blocks of the section, in order. */
async function documentedSteps(): Promise<string[]> {
  const page = await readFile(join(root, 'docs/scaling.md'), 'utf8');
  const [, section = ''] = /\n## From one node to many\n(.*?)\n## /s.exec(page) ?? [];
  return [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
}

test('all answers are what they were, views go on, and so do keys and video keys', async () => {
  await send(old, 200, 10_000);
  const before = await untilPlayed(old, 200 * 10_000);
  const steps = await documentedSteps();
  expect(steps.at(-1)?.trim()).toBe('npm start');
  const { url, username, password } = engineAccess();
  const catalog = await createDatabase();
  const putIn = (text: string) =>
    text
      .replaceAll('/backups/', `${folder}/`)
      .replaceAll('./data', old.dataFolder)
      .replaceAll('postgres://playmeter:password@db.example.com/playmeter', catalog)
      .replace('http://ch-1.example.com:8123', url)
      .replace('CLICKHOUSE_USER=playmeter', `CLICKHOUSE_USER=${username}`)
      .replace('CLICKHOUSE_PASSWORD=password', `CLICKHOUSE_PASSWORD=${password}`);
  const settings: Record<string, string> = {};
  for (const [index, step] of steps.slice(0, -1).entries()) {
    if (index === 1) await old.kill('SIGTERM');
    const script = `
      npm() { while [ "$1" != -- ]; do shift; done; shift; $PLAYMETER "$@" 1>&2; }
      ${putIn(step)}
      env`;
    const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
    const { stdout } = await execute('sh', ['-ec', script], {
      cwd: root,
      env: {
        ...{ PATH, TMPDIR, NODE_COMPILE_CACHE, ...settings },
        ...{ DATA_DIR: old.dataFolder, CLICKHOUSE_DATABASE: database },
        PLAYMETER: `${process.execPath} ${program}`,
      },
    });
    // The steps are typed into one shell.
    for (const [, name = '', value = ''] of stdout.matchAll(
      /^(APP_SECRET|DATABASE_URL|CLICKHOUSE_\w+)=(.*)$/gm,
    )) {
      settings[name] = value;
    }
  }
  expect(settings).toMatchObject({ DATABASE_URL: catalog, CLICKHOUSE_URL: url });

  nodes.push(await startServiceProcess(settings, { dataFolder: old.dataFolder, joins: true }));
  nodes.push(await startServiceProcess(settings, { joins: true }));
  for (const node of nodes) expect(await answersOf(node)).toEqual(before);
  const [one, other] = nodes as [ServiceProcess, ServiceProcess];
  await send(one, 200, 20_000);
  await send(other, 200, 20_000);
  for (const node of nodes) await untilPlayed(node, 200 * 20_000);
  expect(await one.run('verify')).toMatchObject({ isSound: true });
});
