/** Measures each step of collecting under its name, for /metrics. */
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../../lib/time/clock.ts';
import type { BatchContext, Draft, Refusal, Step } from '../draft.ts';

/** Reading the clock takes up to 0.4 us, as long as most steps do: so only some runs are timed. */
export const timedEveryRuns = 256;

export interface StepMeter {
  /** The same step, measured. */
  measured<Kind extends Draft, Context extends BatchContext>(
    step: Step<Kind, Context>,
  ): Step<Kind, Context>;
  /** The same function, measured as a step. */
  measure<First, Second, Answer>(
    name: string,
    run: (first: First, second: Second) => Answer,
    refusalOf: (answer: Answer) => Refusal | undefined,
  ): (first: First, second: Second) => Answer;
}

interface Work {
  runs: number;
  timedRuns: number;
  timedMs: number;
}

export function createStepMeter(metrics: Registry, clock: Pick<Clock, 'monotonic'>): StepMeter {
  const works = new Map<string, Work>();
  const refusals = addCounters(metrics, works);

  const measure: StepMeter['measure'] = (name, run, refusalOf) => {
    const work: Work = { runs: 0, timedRuns: 0, timedMs: 0 };
    works.set(name, work);
    return (first, second) => {
      work.runs += 1;
      const isTimed = work.runs % timedEveryRuns === 0;
      const startedMs = isTimed ? clock.monotonic() : 0;
      const answer = run(first, second);
      if (isTimed) {
        work.timedRuns += 1;
        work.timedMs += clock.monotonic() - startedMs;
      }
      const refusal = refusalOf(answer);
      if (refusal) refusals.inc({ step: name, reason: refusal.code });
      return answer;
    };
  };
  return {
    measure,
    measured: ({ name, run }) => ({ name, run: measure(name, run, (refusal) => refusal) }),
  };
}

/** Runs and time are summed up when the metrics are read: adding to a counter takes longer. */
function addCounters(metrics: Registry, works: ReadonlyMap<string, Work>) {
  const addCounter = (name: string, help: string, read: (work: Work) => number) =>
    new Counter({
      name,
      help,
      labelNames: ['step'],
      registers: [metrics],
      collect() {
        this.reset();
        for (const [step, work] of works) this.inc({ step }, read(work));
      },
    });
  addCounter('playmeter_step_runs_total', 'Runs of each step of collecting', ({ runs }) => runs);
  addCounter(
    'playmeter_step_seconds_total',
    `Time spent in each step of collecting, estimated from one run in ${timedEveryRuns}`,
    ({ runs, timedRuns, timedMs }) => (timedRuns === 0 ? 0 : (timedMs / timedRuns / 1e3) * runs),
  );
  return new Counter({
    name: 'playmeter_step_refusals_total',
    help: 'Refusals by each step of collecting, by reason',
    labelNames: ['step', 'reason'],
    registers: [metrics],
  });
}
