/**
 * Far more than the service can take, for a while: from senders that send again as soon as they are
 * answered, while the engine stands still for some seconds, and from senders that are slow. Run as
 * a program it is the long form: npm run overload.
 */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadOutcome } from '../../bench/load/generator.ts';
import { sendLoad } from '../../bench/load/send-load.ts';
import { Playmeter } from '../../client/src/index.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { wideBounds } from '../support/wide-bounds.ts';
import { startProbe } from './probe.ts';

const path = '/collect/v1/beacons';
/** What is measured is the service, not what one address may send. */
const limits = {
  COLLECT_LIMIT_PER_MINUTE: '100000000',
  MAX_CONNECTIONS: '15000',
  MAX_CONNECTIONS_PER_ADDRESS: '15000',
  ...wideBounds,
};
const beaconsPerRequest = 1_000;
/** What each beacon of the generator reports, in seconds. */
const playSeconds = 10;
const frozenMs = 3_000;
const slowSenders = 1_500;
/**
 * Service and engine together; a connection holds the beginning of a body, and what was read of it.
 */
const mostResidentMb = (connections: number) => 1_500 + connections * 0.08;

export interface OverloadPlan {
  readonly seconds: number;
  readonly connections: number;
  readonly say: (line: string) => void;
}

export interface OverloadOutcome {
  readonly connections: number;
  /** Requests a second that the service keeps up with. */
  readonly sustained: number;
  /** Requests a second while it was too much, answered well or not. */
  readonly offered: number;
  /** All there were of the flood, and of those what was not 2xx, by status. */
  readonly flood: LoadOutcome;
  /** Statuses that a patient sender saw meanwhile, and answers of it that lacked Retry-After. */
  readonly probed: Readonly<Record<string, number>>;
  readonly withoutRetryAfter: number;
  /**
   * The most of service and engine, in the flood's first and second half, and with slow senders.
   */
  readonly residentMb: { readonly first: number; readonly second: number; readonly slow: number };
  readonly beacons: { readonly sent: number; readonly acknowledged: number };
  /** What the answers say, and what each play has of `seconds`. */
  readonly plays: number;
  readonly seconds: number;
  readonly playSeconds: number;
  /** Of the account by its ledger, and of the process by its metrics. */
  readonly ledger: { readonly received: number; readonly counted: number };
  readonly metrics: Readonly<Record<'received' | 'counted' | 'refused' | 'unavailable', number>>;
}

export async function overload(plan: OverloadPlan): Promise<OverloadOutcome> {
  const service = await startServiceProcess(limits);
  try {
    const account = await addProcessAccount(service, 'UTC');
    const packageId = await account.addPackage();
    const videoKeys = [await account.publish(packageId, await account.addVideo())];
    const target = { port: Number(new URL(service.url).port), path, videoKeys, beaconsPerRequest };
    const calm = { ...target, connections: 16, warmSeconds: 1, seconds: 3 };
    const sustained = await sendLoad(calm);
    plan.say(`sustained: ${describe(sustained)}`);

    const probe = startProbe(service, videoKeys[0] ?? '');
    const memory = watchMemory(service);
    const { seconds, connections } = plan;
    const flooding = sendLoad({ ...target, connections, warmSeconds: 1, seconds });
    await sleep((seconds * 1_000) / 2);
    const first = memory.most();
    await freezeEngine(service);
    const flood = await flooding;
    const second = memory.most();
    plan.say(`flooded: ${describe(flood)}; ${Math.round(first)} MB, then ${Math.round(second)} MB`);
    plan.say(`meanwhile a patient sender: ${probe.describe()}`);
    await sendSlowly(service);
    const slow = memory.most();
    plan.say(`${slowSenders} slow senders of 1 MiB: ${Math.round(slow)} MB`);
    const probed = await probe.stop();
    memory.stop();

    const requests = [sustained, flood];
    const sumOf = (key: 'sent' | 'acknowledged') =>
      requests.reduce((sum, outcome) => sum + outcome[key] * beaconsPerRequest, probed[key]);
    const beacons = { sent: sumOf('sent'), acknowledged: sumOf('acknowledged') };
    return {
      connections,
      sustained: sustained.requestsPerSecond,
      offered: flood.sent / seconds,
      flood,
      probed: probed.statuses,
      withoutRetryAfter: probed.withoutRetryAfter,
      residentMb: { first, second, slow },
      beacons,
      playSeconds,
      ...(await countsOf(service, account.key, beacons.acknowledged)),
    };
  } finally {
    await service.remove();
  }
}

function describe({ sent, acknowledged, failed, p50Ms, p99Ms, slowestMs }: LoadOutcome): string {
  const times = [p50Ms, p99Ms, slowestMs].map((ms) => `${Math.round(ms)} ms`).join(' / ');
  return `${sent} requests, ${acknowledged} acknowledged (${times}), not ${JSON.stringify(failed)}`;
}

async function freezeEngine(service: ServiceProcess): Promise<void> {
  const engine = service.engineProcesses().at(-1) ?? 0;
  process.kill(engine, 'SIGSTOP');
  await sleep(frozenMs);
  process.kill(engine, 'SIGCONT');
}

/** The most since it was last asked. */
function watchMemory(service: ServiceProcess) {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, service.residentMb());
  }, 100);
  return {
    most() {
      const before = most;
      most = 0;
      return before;
    },
    stop: () => clearInterval(timer),
  };
}

/** Bodies of 1 MiB whose end never comes. */
async function sendSlowly(service: ServiceProcess): Promise<void> {
  const length = 1_048_576;
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    `content-length: ${length}`,
  ].join('\r\n');
  const most = Buffer.alloc(length - 1_000, ' ');
  const senders = Array.from({ length: slowSenders }, () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`${head}\r\n\r\n`);
    socket.write(most);
    return socket;
  });
  await sleep(3_000);
  for (const sender of senders) sender.destroy();
}

async function countsOf(service: ServiceProcess, key: string, acknowledged: number) {
  const client = new Playmeter({ url: service.url, key });
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const range = { sdate: dayOf(Date.now() - 86_400_000), edate: dayOf(Date.now()) };
  const playback = async () => {
    const sums = { plays: 0, seconds: 0 };
    for await (const { videoCount, duration } of client.statistics.date(range)) {
      sums.plays += Number(videoCount);
      sums.seconds += Number(duration);
    }
    return sums;
  };
  const ledger = async () => {
    const days = await client.manage.ledger(range);
    return {
      received: days.reduce((sum, { received }) => sum + received, 0),
      counted: days.reduce((sum, { counted }) => sum + counted, 0),
    };
  };
  const isIn = async () => (await playback()).plays >= acknowledged;
  await waitUntil('all to be in the answers', isIn);
  // It is written once a second.
  const isNoted = async () => (await ledger()).received >= acknowledged;
  await waitUntil('all to be in the ledger', isNoted);
  return { ...(await playback()), ledger: await ledger(), metrics: await metricsOf(service) };
}

async function metricsOf({ url }: ServiceProcess): Promise<OverloadOutcome['metrics']> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const sumOf = (name: string) => {
    const samples = text.matchAll(new RegExp(`^playmeter_beacons_${name}_total\\S* (\\d+)$`, 'gm'));
    return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  return {
    received: sumOf('received'),
    counted: sumOf('counted'),
    refused: sumOf('refused'),
    unavailable: sumOf('unavailable'),
  };
}

/** What is not as it should be: of answers, of counts, of memory. */
export function wrongIn(outcome: OverloadOutcome): string[] {
  const { flood, probed, withoutRetryAfter, residentMb, beacons, ledger, metrics } = outcome;
  const { plays, seconds, playSeconds } = outcome;
  const expected = new Set(['200', '429', '503']);
  const statuses = Object.keys({ ...flood.failed, ...probed });
  const { received, counted, refused, unavailable } = metrics;
  const isWrong = {
    [`answers ${statuses}`]: statuses.some((status) => !expected.has(status)),
    [`${withoutRetryAfter} answers without Retry-After`]: withoutRetryAfter > 0,
    [`${plays} plays`]: plays < beacons.acknowledged || plays > beacons.sent,
    [`${seconds} s of ${plays} plays`]: seconds !== plays * playSeconds,
    [`metrics ${JSON.stringify(metrics)}`]: received !== counted + refused + unavailable,
    [`ledger ${JSON.stringify(ledger)}`]:
      ledger.counted !== beacons.acknowledged || ledger.received !== counted + refused,
    [`memory ${JSON.stringify(residentMb)}`]:
      Math.max(...Object.values(residentMb)) > mostResidentMb(outcome.connections),
  };
  return Object.keys(isWrong).filter((what) => isWrong[what]);
}

if (import.meta.main) {
  const outcome = await overload({ seconds: 60, connections: 12_000, say: console.log });
  const { flood: _, ...rest } = outcome;
  console.log(JSON.stringify(rest, undefined, 2));
  const wrong = wrongIn(outcome);
  for (const line of wrong) console.log(`WRONG ${line}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
