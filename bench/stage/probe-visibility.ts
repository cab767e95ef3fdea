/** How soon a beacon that was acknowledged is in the answer to a question. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchAccount, type BenchService, collectPath } from './bench-service.ts';

const dayMs = 86_400_000;
const pollMs = 25;
const pauseMs = 200;
const giveUpMs = 30_000;

export interface VisibilityProbes {
  readonly service: BenchService;
  /** Nothing else is played in it. */
  readonly account: BenchAccount;
  readonly probes: number;
  /** When the beacon of a probe began, milliseconds before now. */
  agoMs(): number;
  /** The question's first day, days before today. */
  readonly daysAsked: number;
}

/** About so long do the probes last while the service keeps its promise. */
export const secondsOf = (probes: number): number => (probes * (pauseMs + 800)) / 1_000;

/** Ascending times (ms), each from the acknowledgement until a question counts the play. */
export async function probeVisibility(options: VisibilityProbes): Promise<number[]> {
  const { service, account, probes, agoMs, daysAsked } = options;
  const times: number[] = [];
  for (let plays = 1; plays <= probes; plays += 1) {
    const {
      packageId,
      accessKeys: [accessKey],
    } = account;
    const at = new Date(Date.now() - agoMs()).toISOString();
    const beacon = { view: randomUUID(), stretch: 0, at, playMs: 1_000, accessKey, packageId };
    const answer = await fetch(service.url + collectPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': account.key },
      body: JSON.stringify({ beacons: [beacon] }),
    });
    const { accepted } = (await answer.json()) as { accepted?: number };
    if (accepted !== 1) throw new Error(`The probe was answered ${answer.status}`);
    const acknowledgedAt = performance.now();
    while ((await playsOf(service, account, daysAsked)) < plays) {
      if (performance.now() - acknowledgedAt > giveUpMs) throw new Error('Never became visible');
      await sleep(pollMs);
    }
    times.push(performance.now() - acknowledgedAt);
    await sleep(pauseMs * Math.random());
  }
  return times.sort((a, b) => a - b);
}

/** Of the days from `daysAsked` before today to tomorrow. */
export async function playsOf(
  service: BenchService,
  account: BenchAccount,
  daysAsked: number,
): Promise<number> {
  const day = (offset: number) => new Date(Date.now() + offset * dayMs).toISOString().slice(0, 10);
  const query = new URLSearchParams({ sdate: day(-daysAsked), edate: day(1), pageSize: '1000' });
  const address = `${service.url}/report/statistics/video/v1/info/date?${query}`;
  const answer = await fetch(address, { headers: { 'x-api-key': account.key } });
  const { data } = (await answer.json()) as { data: { list: { videoCount: string }[] } };
  return data.list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
}
