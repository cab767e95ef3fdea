import type { Clock } from '../../lib/time/clock.ts';
import type { FactReader } from '../../store/facts.ts';

export interface Moment {
  /** The moment that the answer shows, with all its pages. */
  readonly asOf: Date;
  /** Everything acknowledged before this instant is in the answer. */
  readonly completeThrough: Date;
}

interface MomentSources {
  readonly facts: Pick<FactReader, 'between' | 'completeThrough'>;
  readonly clock: Clock;
}

/** An answer between two erasures, and its moment. */
export function atMoment<Answer extends object>(
  accountId: number,
  { facts, clock }: MomentSources,
  read: (nowMs: number) => Promise<Answer>,
): Promise<Answer & Moment> {
  return facts.between(accountId, async () => {
    // Taken before anything is read, so that neither promises more than it saw.
    const completeThrough = new Date(facts.completeThrough());
    const asOf = new Date(clock.now());
    return { ...(await read(asOf.getTime())), asOf, completeThrough };
  });
}
