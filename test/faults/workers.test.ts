/** Several processes on one port: one service to its clients, whichever of them is killed. */
import { readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { wideBounds } from '../support/wide-bounds.ts';

/** Read anew at each start. */
const environment: Record<string, string> = {
  ...{ ...wideBounds, WORKERS: '3', LOG_LEVEL: 'info' },
  // It is asked again and again whether a key is refused.
  WRONG_KEY_LIMIT_PER_MINUTE: '1000000',
};
let service: ServiceProcess;
let videoKey: string;
/** What was acknowledged: the longest time (ms) of each stretch of each view. */
const reported = new Map<string, number>();
let acknowledgedAt = 0;

beforeAll(async () => {
  service = await startServiceProcess(environment);
  videoKey = /\/watch\/(.+)/.exec(service.pageUrl)?.[1] ?? '';
});
afterAll(() => service.remove());

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly cookie: string;
  readonly through: number;
}

interface Asking {
  readonly key?: string;
  readonly body?: string;
  readonly agent?: Agent;
  readonly method?: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** Over a connection of its own, so that each goes to another worker. */
function ask(path: string, asking: Asking = {}): Promise<Answer> {
  const { key, body = '', agent = new Agent(), method = body ? 'POST' : 'GET', more } = asking;
  return new Promise((resolve, reject) => {
    const type = body && { 'content-type': 'text/plain' };
    const headers = { ...(key && { 'x-api-key': key }), ...type, ...more };
    const asked = request(
      service.url + path,
      { method, headers, agent, timeout: 5_000 },
      (answer) => {
        let text = '';
        answer.on('data', (part) => {
          text += part;
        });
        answer.on('error', reject).on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            body: text,
            cookie: String(answer.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '',
            through: Date.parse(String(answer.headers['complete-through'])),
          }),
        );
      },
    );
    asked.on('error', reject).on('timeout', () => asked.destroy(new Error('No answer')));
    asked.end(body);
  });
}

const at = new Date(Date.now() - 3_600_000).toISOString();

/** Below the limit of a test, so that its reason is shown. */
const patienceMs = 240_000;

/** As a player does: again and again until it is acknowledged. */
async function tell(view: string, playMs: number, agent?: Agent): Promise<void> {
  const body = JSON.stringify({ beacons: [{ view, stretch: 0, at, playMs, videoKey }] });
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    if (performance.now() > untilMs) throw new Error(`${view} was never acknowledged`);
    const answer = await ask('/collect/v1/beacons', { body, ...(agent && { agent }) }).catch(
      () => undefined,
    );
    if (answer?.status === 200) break;
    await sleep(50);
  }
  reported.set(view, Math.max(playMs, reported.get(view) ?? 0));
  acknowledgedAt = Date.now();
}

async function counted(): Promise<{ plays: number; seconds: number; through: number }> {
  const [day, next] = [at, new Date().toISOString()].map((time) => time.slice(0, 10));
  const path = `/report/statistics/video/v1/info/date?sdate=${day}&edate=${next}`;
  const { status, body, through } = await ask(path, { key: service.key });
  if (status !== 200) return { plays: -1, seconds: -1, through: 0 };
  const { data } = JSON.parse(body) as {
    data: { list: { videoCount: string; duration: string }[] };
  };
  const sum = (field: 'videoCount' | 'duration') =>
    data.list.reduce((total, row) => total + Number(row[field]), 0);
  return { plays: sum('videoCount'), seconds: sum('duration'), through };
}

/** From several workers, and again when an overcount could have come. */
async function expectExact(): Promise<void> {
  const seconds = [...reported.values()].reduce((sum, ms) => sum + ms, 0) / 1_000;
  for (let round = 0; round < 2; round += 1) {
    const after = acknowledgedAt + round * 2_000;
    for (let asked = 0; asked < 4; asked += 1) {
      let found = { plays: -1, seconds: -1 };
      await waitUntil('an answer complete through all', async () => {
        const { through, ...answer } = await counted().catch(() => ({
          ...{ plays: -1, seconds: -1, through: 0 },
        }));
        found = answer;
        return through > after;
      });
      expect(found).toEqual({ plays: reported.size, seconds });
    }
  }
}

/** Those that run, by number. */
function runningWorkers(): number[] {
  return service.workerProcesses().filter(isAlive);
}

async function metric(name: string): Promise<number> {
  const { body } = await ask('/metrics');
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(body)?.[1]);
}

const areReady = () =>
  metric('playmeter_workers').then(
    (count) => count === 3,
    () => false,
  );

test('workers that are killed under load lose nothing and count nothing twice', async () => {
  let isOver = false;
  const players = Array.from({ length: 12 }, async (_, player) => {
    // Some keep their connection, and some take a new one for each beacon.
    const agent = player % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
    for (let view = 0; !isOver; view += 1) {
      for (const playMs of [1_000, 2_000, 3_000]) await tell(`${player}-${view}`, playMs, agent);
    }
    agent?.destroy();
  });
  for (let kill = 0; kill < 6; kill += 1) {
    // However slow the machine is, each kill meets workers at work.
    const views = reported.size;
    await waitUntil('some more to be counted', () => reported.size > views + 3);
    const running = runningWorkers();
    // The oldest is now and then the one that rolls up.
    const victim = running[kill % 2 === 0 ? 0 : running.length - 1] ?? 0;
    const before = service.workerProcesses().length;
    process.kill(victim, 'SIGKILL');
    await waitUntil('another in its place', () => service.workerProcesses().length > before);
  }
  isOver = true;
  await Promise.all(players);
  await expectExact();
  expect(runningWorkers()).toHaveLength(3);
});

test('workers that hang lose nothing, and others take their place', async () => {
  await waitUntil('all three', areReady);
  const agents = Array.from({ length: 12 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const tellAll = (playMs: number) =>
    Promise.all(agents.map((agent, player) => tell(`hanging-${player}`, playMs, agent)));
  await tellAll(1_000);
  const before = service.workerProcesses().length;
  // What they acknowledged last is in their journals, and perhaps not in the store.
  const frozen = runningWorkers().slice(0, 2);
  for (const worker of frozen) process.kill(worker, 'SIGSTOP');
  // The connections that they had say nothing; new ones are taken by the third.
  await tellAll(2_000);
  await waitUntil('others in their place', () => service.workerProcesses().length === before + 2);
  expect(frozen.filter(isAlive)).toEqual([]);
  await tellAll(3_000);
  for (const agent of agents) agent.destroy();
  await expectExact();
});

test('the engine is killed under all of them: nothing is lost, and nothing counts twice', async () => {
  await waitUntil('all three', areReady);
  let isOver = false;
  const players = Array.from({ length: 6 }, async (_, player) => {
    for (let view = 0; !isOver; view += 1) {
      for (const playMs of [1_000, 2_000]) await tell(`engine-${player}-${view}`, playMs);
    }
  });
  const reportedMore = (views = reported.size) =>
    waitUntil('some more to be counted', () => reported.size > views + 6);
  await reportedMore();
  const workers = runningWorkers();
  const engines = service.engineProcesses().length;
  process.kill(service.engineProcesses().at(-1) ?? 0, 'SIGKILL');
  await waitUntil('another engine', () => service.engineProcesses().length > engines);
  await waitUntil('all three', areReady);
  await reportedMore();
  isOver = true;
  await Promise.all(players);
  await expectExact();
  expect(runningWorkers()).toEqual(workers);
});

/** So often that each worker is asked. */
async function ofEachWorker<Value>(one: () => Promise<Value>): Promise<Value[]> {
  await waitUntil('all three', areReady);
  const values: Value[] = [];
  for (let asked = 0; asked < 9; asked += 1) values.push(await one());
  return values;
}

test('a key revoked at one of them is refused by all', async () => {
  const more = { 'content-type': 'application/json' };
  const body = JSON.stringify({ scopes: ['info:read'] });
  const made = await ask('/manage/v1/keys', { key: service.key, body, more });
  const { keyId, key } = JSON.parse(made.body);
  const path = '/info/videopack/folder/v1/info.json';
  const status = async () => (await ask(path, { key })).status;
  expect(new Set(await ofEachWorker(status))).toEqual(new Set([200]));
  const revoking = { method: 'DELETE', key: service.key };
  expect((await ask(`/manage/v1/keys/${keyId}`, revoking)).status).toBe(204);
  await expectRefusedByAll(status);
});

/** Each hears of it within a second, or later on a busy machine; then it stays refused. */
async function expectRefusedByAll(status: () => Promise<number>): Promise<void> {
  const areRefused = async () => (await ofEachWorker(status)).every((one) => one === 401);
  await waitUntil('all to refuse it', areRefused);
  expect(new Set(await ofEachWorker(status))).toEqual(new Set([401]));
}

test('a stop lets all of them finish', async () => {
  await waitUntil('all three', areReady);
  await Promise.all(Array.from({ length: 30 }, (_, view) => tell(`last-${view}`, 1_000)));
  const workers = runningWorkers();
  expect(workers).toHaveLength(3);
  expect(await service.kill('SIGTERM')).toBe(0);
  expect(workers.filter(isAlive)).toEqual([]);
  const left = await readdir(join(service.dataFolder, 'journal'), { recursive: true });
  expect(left.filter((name) => name.endsWith('.journal'))).toEqual([]);
  await service.start();
  await expectExact();
});

test('what a node of three left in its journals, a node of one stores', async () => {
  const [engine = 0] = service.engineProcesses().slice(-1);
  const journals = async () => {
    const names = await readdir(join(service.dataFolder, 'journal'), { recursive: true });
    return names.filter((name) => name.endsWith('.journal'));
  };
  await waitUntil('all three', areReady);
  // Each has asked the store about the day.
  for (let view = 0; view < 12; view += 1) await tell(`before-${view}`, 1_000);
  // From now on nothing leaves the journals.
  process.kill(engine, 'SIGSTOP');
  const folders = async () =>
    new Set((await journals()).map((name) => /^worker-\d/.exec(name)?.[0] ?? 'first'));
  let views = 0;
  await waitUntil('something in each journal', async () => {
    views += 1;
    await tell(`left-${views}`, 5_000);
    return (await folders()).size === 3;
  });
  const workers = runningWorkers();
  await service.kill('SIGKILL');
  process.kill(engine, 'SIGKILL');
  await waitUntil('all to be gone with it', () => ![...workers, engine].some(isAlive));
  expect((await folders()).size).toBe(3);

  environment.WORKERS = '1';
  await service.start();
  await expectExact();
  expect((await journals()).filter((name) => name.includes('/'))).toEqual([]);
});

test('limits and metrics are those of all together', async () => {
  await service.kill('SIGTERM');
  Object.assign(environment, {
    ...{ WORKERS: '3', COLLECT_LIMIT_PER_MINUTE: '60', RATE_LIMIT_PER_MINUTE: '30' },
    ...{ WRONG_KEY_LIMIT_PER_MINUTE: '10' },
  });
  await service.start();
  await waitUntil('all three', areReady);
  const statusesOf = async (count: number, one: () => Promise<Answer>) => {
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent += 1) statuses.push((await one()).status);
    return statuses;
  };
  const beacons = await statusesOf(100, () =>
    ask('/collect/v1/beacons', {
      body: JSON.stringify({
        beacons: [{ view: 'more', stretch: 0, at, playMs: 1_000, videoKey }],
      }),
    }),
  );
  const accepted = beacons.filter((status) => status === 200).length;
  reported.set('more', 1_000);
  // Of one that asks all workers in turn: nine tenths at least, and a twentieth more at most.
  expect(accepted).toBeGreaterThanOrEqual(54);
  expect(accepted).toBeLessThanOrEqual(63);
  expect(new Set(beacons)).toEqual(new Set([200, 429]));

  const path = '/info/videopack/folder/v1/info.json';
  const questions = await statusesOf(40, () => ask(path, { key: service.key }));
  expect(questions.filter((status) => status !== 429)).toHaveLength(30);
  const guesses = await statusesOf(20, () => ask(path, { key: 'pm_wrong' }));
  expect(guesses.filter((status) => status === 401)).toHaveLength(10);

  for (let asked = 0; asked < 4; asked += 1) {
    expect(await metric('playmeter_beacons_received_total')).toBe(accepted);
  }
  const before = service.workerProcesses().length;
  process.kill(runningWorkers()[1] ?? 0, 'SIGKILL');
  await waitUntil('another in its place', () => service.workerProcesses().length > before);
  expect(await metric('playmeter_beacons_received_total')).toBe(accepted);
  expect(await metric('playmeter_worker_restarts_total')).toBe(1);
});
