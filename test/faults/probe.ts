/** One sender among many: what becomes of its beacons, and how long it waits for an answer. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../bench/record/percentile.ts';
import type { ServiceProcess } from '../support/service-process.ts';

const everyMs = 100;
const playMs = 10_000;

interface Probed {
  readonly sent: number;
  readonly acknowledged: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers 429 and 503 that do not say when to come again. */
  readonly withoutRetryAfter: number;
}

export interface Probe {
  /** In words, with the times of the answers. */
  describe(): string;
  stop(): Promise<Probed>;
}

/** Sends ten beacons a second, one after the other. */
export function startProbe({ url }: ServiceProcess, videoKey: string): Probe {
  const statuses: Record<string, number> = {};
  const times: number[] = [];
  let withoutRetryAfter = 0;
  let stopped = false;

  const send = async (): Promise<void> => {
    const at = new Date(Date.now() - 2 * playMs).toISOString();
    const beacon = { view: randomUUID(), stretch: 0, at, playMs, videoKey };
    const startedAt = performance.now();
    const body = JSON.stringify({ beacons: [beacon] });
    const response = await fetch(`${url}/collect/v1/beacons`, { method: 'POST', body });
    await response.arrayBuffer();
    times.push(performance.now() - startedAt);
    const { status } = response;
    statuses[status] = (statuses[status] ?? 0) + 1;
    const saysWhen = response.headers.has('retry-after');
    if ((status === 429 || status === 503) && !saysWhen) withoutRetryAfter += 1;
  };
  const sendAll = async (): Promise<void> => {
    while (!stopped) {
      await send();
      await sleep(everyMs);
    }
  };
  const sending = sendAll();
  // Whoever stops it hears of it.
  sending.catch(() => {});

  return {
    describe() {
      const sorted = times.toSorted((one, other) => one - other);
      const [p50, p99] = [0.5, 0.99].map((share) => Math.round(percentile(sorted, share)));
      return `${JSON.stringify(statuses)}, p50 ${p50} ms, p99 ${p99} ms`;
    },
    async stop() {
      stopped = true;
      await sending;
      const sent = times.length;
      return { sent, acknowledged: statuses[200] ?? 0, statuses, withoutRetryAfter };
    },
  };
}
