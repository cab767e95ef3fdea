/** How soon a beacon is acknowledged and seen in the answer, at half the highest rate. */
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure } from '../figure.ts';
import { sendLoad } from '../load/send-load.ts';
import { median, percentile } from '../record/percentile.ts';
import { collectPath, startBenchService } from '../stage/bench-service.ts';
import { probeVisibility, secondsOf } from '../stage/probe-visibility.ts';

const connections = 256;
/** How long ago the playback of a probe began. */
const agoMs = () => 20_000;

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
      const seconds = Math.max(loadSeconds, secondsOf(visibilityProbes));
      const loading = sendLoad({ ...plan, rate, seconds });
      await sleep(1_500);
      const visibleMs = await probeVisibility({
        ...{ service, account: probed, probes: visibilityProbes, agoMs, daysAsked: 1 },
      });
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
