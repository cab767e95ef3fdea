/** The event log here is a model whose writes and reads take effect whenever fast-check says so. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ScheduledEventLog,
  scheduledEventLog,
} from '../../../test/support/scheduled-event-log.ts';
import { type AgreeOnInstant, type Claim, createAgreement, settle } from './instant-agreement.ts';

const view = { accountId: 1, view: 'view' };

/** Some of the writers die: what they had begun to write is seen or not, and nobody asks again. */
const writers = fc.array(
  fc.record({ proposal: fc.integer({ min: 1, max: 3 }), dies: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
);

test('all writers come to the same instant, in whatever order their writes and reads fall', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), writers, async (scheduler, given) => {
      const log = scheduledEventLog(scheduler);
      const agree = createAgreement(log);
      const answers = given.map(({ proposal, dies }) => {
        const dying = dyingAfter(dies ? 3 : Number.POSITIVE_INFINITY, log);
        return (dies ? createAgreement(dying) : agree)(view, 'play', proposal).catch(
          () => undefined,
        );
      });
      await scheduler.waitIdle();
      const decided = (await Promise.all(answers)).filter((value) => value !== undefined);
      const late = [createAgreement(log)(view, 'play', 9), createAgreement(log)(view, 'play', 0)];
      await scheduler.waitIdle();
      const all = new Set([...decided, ...(await Promise.all(late))]);
      expect(all.size).toBe(1);
      expect([0, 9, ...given.map(({ proposal }) => proposal)]).toContain([...all][0]);
    }),
    { numRuns: 1_000 },
  );
});

/** A process that is killed after so many calls. */
function dyingAfter(calls: number, log: ScheduledEventLog): ScheduledEventLog {
  let left = calls;
  const live = () => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return {
    ...log,
    eventSpool: {
      async add(events) {
        live();
        await log.eventSpool.add(events);
      },
    },
    events: {
      async read(windows) {
        live();
        return log.events.read(windows);
      },
    },
  };
}

test('one writer alone states two claims; those who come later state none but their proposal', async () => {
  const log = scheduledEventLog(await eager());
  const agree: AgreeOnInstant = createAgreement(log);
  expect(await agree(view, 'play', 500)).toBe(500);
  expect(log.rows.map(({ momentMs, sequence, state }) => [momentMs, sequence, state])).toEqual([
    [500, 1, 'counted'],
    [500, 2, 'counted'],
  ]);
  expect(await agree(view, 'play', 400)).toBe(500);
  expect(log.rows).toHaveLength(3);
  expect(await agree(view, 'another', 400)).toBe(400);
  expect(await agree({ ...view, view: 'other' }, 'play', 300)).toBe(300);
});

/** Lets everything happen at once, in order. */
async function eager(): Promise<fc.Scheduler> {
  const schedule = <Value>(task: Promise<Value>) => task;
  return { schedule } as unknown as fc.Scheduler;
}

test.each<[string, Claim[], ReturnType<typeof settle>]>([
  ['nothing yet', [], { next: { value: 7, step: 1 } }],
  ['own proposal alone', [at(7, 1)], { next: { value: 7, step: 2 } }],
  ['a proposal of somebody else', [at(5, 1)], { next: { value: 5, step: 2 } }],
  ['two proposals', [at(7, 1), at(5, 1)], { next: { value: 5, step: 3 } }],
  ['a sole one', [at(7, 1), at(7, 2)], { decided: 7 }],
  ['a sole one, with a proposal since', [at(9, 1), at(7, 1), at(9, 2)], { decided: 9 }],
  [
    'a sole one and a contested one',
    [at(9, 1), at(7, 1), at(9, 2), at(7, 3)],
    { next: { value: 9, step: 4 } },
  ],
  ['two contested ones', [at(9, 1), at(7, 1), at(9, 3), at(7, 3)], { next: { value: 7, step: 4 } }],
  [
    'a second round',
    [at(9, 1), at(7, 1), at(9, 3), at(7, 3), at(9, 4), at(9, 5)],
    { next: { value: 7, step: 4 } },
  ],
  [
    'a second round, decided',
    [at(9, 1), at(7, 1), at(9, 3), at(7, 3), at(7, 4), at(7, 5)],
    { decided: 7 },
  ],
])('%s', (_name, claims, expected) => {
  expect(settle(claims, 7)).toEqual(expected);
});

function at(value: number, step: number): Claim {
  return { value, step };
}

test('gives up with 503 where the log never shows what was written', async () => {
  const scheduler = await eager();
  const forgetful = { ...scheduledEventLog(scheduler), events: { read: async () => [] } };
  await expect(createAgreement(forgetful)(view, 'play', 1)).rejects.toMatchObject({
    ...{ code: 'UNAVAILABLE', retryAfterSeconds: 1 },
  });
});
