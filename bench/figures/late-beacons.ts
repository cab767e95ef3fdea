/** How soon late beacons are in the answers: each touches a slot and a day that had been summed. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure } from '../figure.ts';
import { percentile } from '../record/percentile.ts';
import {
  type BenchAccount,
  type BenchService,
  collectPath,
  startBenchService,
} from '../stage/bench-service.ts';
import { probeVisibility } from '../stage/probe-visibility.ts';

const beaconsPerSecond = 1_000;
const requestsPerSecond = 20;
const days = 60;
const dayMs = 86_400_000;
const warmMs = 5_000;

export const lateBeacons: Figure = {
  name: 'late-beacons',
  async measure({ visibilityProbes }) {
    const service = await startBenchService();
    try {
      const [loaded, probed] = [await service.addAccount(20), await service.addAccount(1)];
      const stopping = new AbortController();
      const loading = sendLate(service, loaded, stopping.signal);
      await sleep(warmMs);
      const account = probed;
      const daysAsked = days + 1;
      const times = await probeVisibility({
        ...{ service, account, probes: visibilityProbes, agoMs, daysAsked },
      }).finally(() => stopping.abort());
      const { acknowledged, seconds, failed } = await loading;
      const rate = Math.round(acknowledged / seconds);
      const note =
        `${visibilityProbes} probes at ${rate} late beacons/s over ${days} days` +
        (failed > 0 ? `; ${failed} requests failed` : '');
      const value = (share: number) => percentile(times, share);
      const what = 'late beacon, acknowledgement to answered';
      return {
        measured: [
          { what: `${what}: p50`, value: value(0.5), unit: 'ms', note },
          { what: `${what}: p95`, value: value(0.95), unit: 'ms', target: atMost(2_000), note },
          { what: `${what}: slowest`, value: value(1), unit: 'ms', note },
        ],
      };
    } finally {
      await service.remove();
    }
  },
};

/** Any moment of the days before yesterday. */
const agoMs = () => dayMs + Math.floor(Math.random() * days * dayMs);

/** In requests of many, as a history or a tracker that was offline sends them. */
async function sendLate(service: BenchService, account: BenchAccount, signal: AbortSignal) {
  const perRequest = beaconsPerSecond / requestsPerSecond;
  const startedAt = performance.now();
  let acknowledged = 0;
  let failed = 0;
  const sent: Promise<void>[] = [];
  for (let due = startedAt; !signal.aborted; due += 1_000 / requestsPerSecond) {
    await sleep(Math.max(0, due - performance.now()));
    sent.push(
      sendBatch(service, account, perRequest).then(
        (accepted) => {
          acknowledged += accepted;
        },
        () => {
          failed += 1;
        },
      ),
    );
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(sent);
  return { acknowledged, failed, seconds };
}

async function sendBatch(service: BenchService, account: BenchAccount, count: number) {
  const {
    packageId,
    key,
    accessKeys: [accessKey],
  } = account;
  const beacons = Array.from({ length: count }, () => ({
    ...{ view: randomUUID(), stretch: 0, playMs: 30_000, accessKey, packageId },
    at: new Date(Date.now() - agoMs()).toISOString(),
  }));
  const answer = await fetch(service.url + collectPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ beacons }),
  });
  if (!answer.ok) throw new Error(`Late beacons were answered ${answer.status}`);
  return ((await answer.json()) as { accepted: number }).accepted;
}
