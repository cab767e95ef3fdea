/** A steady load on a service that comes and goes, with a count of what was acknowledged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '../support/service-process.ts';

const senders = 8;
const playSeconds = 60;
const retryPauseMs = 30;

export interface Totals {
  readonly plays: number;
  readonly seconds: number;
}

interface Tally {
  sent(): Totals;
  acknowledged(): Totals;
}

export interface Load {
  /** Beacons sent again until they were acknowledged: the counts must be equal. */
  readonly retried: Tally;
  /** Beacons sent once: those never acknowledged may be counted or not. */
  readonly sentOnce: Tally;
  /** Of all requests, each with one beacon: how many were sent, and how many answered. */
  requests(): { posted: number; answered: number };
  /** What became of them all, says the service. */
  ledger(): Promise<{ received: number; counted: number; refused: number }>;
  /** What the service says of each of the two. */
  ask(): Promise<{ retried: Totals; sentOnce: Totals; completeThrough: number }>;
  stop(): Promise<void>;
}

export async function startLoad(service: ServiceProcess): Promise<Load> {
  const headers = { 'x-api-key': service.key, 'content-type': 'application/json' };
  const retriedVideo = await publishVideo(service, 'Sent again');
  const onceVideo = await publishVideo(service, 'Sent once');
  const retried = tally();
  const sentOnce = tally();
  let stopped = false;
  let posted = 0;
  let answered = 0;

  const post = async (accessKey: string, view: string, at: string): Promise<boolean> => {
    posted += 1;
    const playMs = playSeconds * 1_000;
    const beacon = { view, stretch: 0, at, playMs, accessKey, packageId: 1 };
    const response = await fetch(`${service.url}/collect/v1/beacons`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ beacons: [beacon] }),
    }).catch(() => undefined);
    if (!response?.ok) return false;
    const answer = (await response.json().catch(() => undefined)) as { accepted: number };
    if (answer) answered += 1;
    return answer?.accepted === 1;
  };
  const run = async (): Promise<void> => {
    while (!stopped) {
      sentOnce.send();
      if (await post(onceVideo, randomUUID(), aMinuteAgo())) sentOnce.acknowledge();
      const view = randomUUID();
      // All beacons of a stretch carry the same instant.
      const at = aMinuteAgo();
      retried.send();
      while (!(await post(retriedVideo, view, at))) await sleep(retryPauseMs);
      retried.acknowledge();
    }
  };
  const running = Array.from({ length: senders }, run);

  const totals = async (accessKey: string) => {
    const day = (offset: number) =>
      new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const query = new URLSearchParams({ sdate: day(-2), edate: day(2), accessKey });
    const address = `${service.url}/report/statistics/video/v1/info/date?${query}`;
    const response = await fetch(address, { headers });
    const { data } = (await response.json()) as {
      data: { list: { videoCount: string; duration: string }[] };
    };
    return {
      plays: data.list.reduce((sum, row) => sum + Number(row.videoCount), 0),
      seconds: data.list.reduce((sum, row) => sum + Number(row.duration), 0),
      completeThrough: Date.parse(response.headers.get('complete-through') ?? ''),
    };
  };
  return {
    retried,
    sentOnce,
    requests: () => ({ posted, answered }),
    ledger: () => askLedger(service),
    async ask() {
      const { completeThrough, ...first } = await totals(retriedVideo);
      const { completeThrough: _, ...second } = await totals(onceVideo);
      return { retried: first, sentOnce: second, completeThrough };
    },
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

async function askLedger(service: ServiceProcess) {
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const address = `${service.url}/manage/v1/ledger?sdate=${day(-2)}&edate=${day(2)}`;
  const response = await fetch(address, { headers: { 'x-api-key': service.key } });
  const { list } = (await response.json()) as {
    list: { received: number; counted: number; refused: Record<string, number> }[];
  };
  const sum = (of: (day: (typeof list)[number]) => number) =>
    list.reduce((total, day) => total + of(day), 0);
  return {
    received: sum(({ received }) => received),
    counted: sum(({ counted }) => counted),
    refused: sum(({ refused }) => Object.values(refused).reduce((one, two) => one + two, 0)),
  };
}

/** Into the package that the first start made. */
async function publishVideo(service: ServiceProcess, title: string): Promise<string> {
  const where = ['--account', '1', '--folder', '1', '--title', title];
  const { accessKey } = await service.run('video', 'add', ...where);
  const key = String(accessKey);
  await service.run('package', 'add', '--account', '1', '--package', '1', '--access-key', key);
  return key;
}

function aMinuteAgo(): string {
  return new Date(Date.now() - playSeconds * 1_000).toISOString();
}

function tally() {
  let sent = 0;
  let acknowledged = 0;
  const totals = (plays: number): Totals => ({ plays, seconds: plays * playSeconds });
  return {
    send: () => {
      sent += 1;
    },
    acknowledge: () => {
      acknowledged += 1;
    },
    sent: () => totals(sent),
    acknowledged: () => totals(acknowledged),
  };
}
