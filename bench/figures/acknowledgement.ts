/** How soon a beacon is acknowledged and seen in the answer, at half the highest rate. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure } from '../figure.ts';
import { sendLoad } from '../load/send-load.ts';
import { median, percentile } from '../record/percentile.ts';
import {
  type BenchAccount,
  type BenchService,
  collectPath,
  startBenchService,
} from '../stage/bench-service.ts';

const connections = 256;
const pollMs = 25;
const pauseMs = 200;
const giveUpMs = 30_000;

export const acknowledgement: Figure = {
  name: 'acknowledgement',
  async measure({ repetitions, loadSeconds, visibilityProbes }) {
    const service = await startBenchService();
    try {
      const { videoKeys } = await service.addAccount(20);
      const probed = await service.addAccount(1);
      const plan = {
        port: service.port,
        path: collectPath,
        videoKeys,
        beaconsPerRequest: 1,
        connections,
        warmSeconds: 1,
        seconds: loadSeconds,
      };
      const highest: number[] = [];
      for (let run = 0; run < repetitions; run += 1) {
        highest.push((await sendLoad(plan)).requestsPerSecond);
      }
      const rate = median(highest) / 2;
      const seconds = Math.max(loadSeconds, (visibilityProbes * (pauseMs + 800)) / 1_000);
      const loading = sendLoad({ ...plan, rate, seconds });
      await sleep(1_500);
      const visibleMs = await probe(service, probed, visibilityProbes);
      const { p50Ms, p99Ms, failed } = await loading;
      const note = `at ${Math.round(rate)} requests/s, counted from when each fell due`;
      const failures = Object.keys(failed).length > 0 ? `; failed: ${JSON.stringify(failed)}` : '';
      return {
        measured: [
          { what: 'acknowledgement p50', value: p50Ms, unit: 'ms', target: atMost(60), note },
          {
            what: 'acknowledgement p99',
            value: p99Ms,
            unit: 'ms',
            target: atMost(250),
            note: note + failures,
          },
          {
            what: 'acknowledgement to visible p95',
            value: percentile(visibleMs, 0.95),
            unit: 'ms',
            target: atMost(2_000),
            note: `${visibilityProbes} probes under the same load`,
          },
        ],
      };
    } finally {
      await service.remove();
    }
  },
};

/** Ascending times from the acknowledgement of a beacon until a question counts it. */
async function probe(
  service: BenchService,
  account: BenchAccount,
  probes: number,
): Promise<number[]> {
  const times: number[] = [];
  for (let plays = 1; plays <= probes; plays += 1) {
    const at = new Date(Date.now() - 20_000).toISOString();
    const beacon = { view: randomUUID(), stretch: 0, at, playMs: 1_000 };
    const answer = await fetch(service.url + collectPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ beacons: [{ ...beacon, videoKey: account.videoKeys[0] }] }),
    });
    if (!answer.ok) throw new Error(`The probe was answered ${answer.status}`);
    const acknowledgedAt = performance.now();
    while ((await playsOf(service, account)) < plays) {
      if (performance.now() - acknowledgedAt > giveUpMs) throw new Error('Never became visible');
      await sleep(pollMs);
    }
    times.push(performance.now() - acknowledgedAt);
    await sleep(pauseMs * Math.random());
  }
  return times.sort((a, b) => a - b);
}

async function playsOf(service: BenchService, { key }: BenchAccount): Promise<number> {
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({ sdate: day(-1), edate: day(1) });
  const address = `${service.url}/report/statistics/video/v1/info/date?${query}`;
  const answer = await fetch(address, { headers: { 'x-api-key': key } });
  const { data } = (await answer.json()) as { data: { list: { videoCount: string }[] } };
  return data.list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
}
