/**
 * Lets any number of requests, in any number of processes, agree on one instant, such as that of
 * a view's play. Each states its claims in the event log and reads everybody's; no lock, no clock
 * and no leader takes part. See docs/decisions/one-play-from-many-writers.md.
 */

import type { Clock } from '../../lib/time/clock.ts';
import type { PlayerEvent, ViewName } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Spool } from '../spool/spool.ts';
import type { EventReader } from './event-reader.ts';
import { identifyView } from './view-identity.ts';

/** Two claims a round; more rounds than that need writers that keep overtaking each other. */
const mostClaims = 40;

/** A claim is never taken back, and stating it again changes nothing. */
export interface Claim {
  readonly value: number;
  /** Which claim of which round; see `steps`. */
  readonly step: number;
}

/** The claims of a round, numbered on from round to round. */
const steps = { proposed: 1, sole: 2, contested: 3 } as const;
const stepsPerRound = 3;

export type Settled = { readonly decided: number } | { readonly next: Claim };

/**
 * The result of all claims so far: the value, or the claim to state before looking again. It needs
 * two properties of the log: a read sees it at one moment, and later reads see all that an earlier
 * one saw.
 *
 * A round works like this. A writer that finds only one proposal calls it the sole one; a writer
 * that finds several calls its own contested. Of two proposals, the later one to be written is read
 * together with the earlier one, so only one of them can ever be called sole. A value is decided if
 * it is sole and nothing is contested: a writer that looks later sees that it is sole, and takes it
 * into the next round at the latest.
 */
export function settle(claims: readonly Claim[], proposal: number): Settled {
  const valuesOf = (round: number, step: keyof typeof steps): number[] =>
    claims
      .filter((claim) => claim.step === round * stepsPerRound + steps[step])
      .map(({ value }) => value);
  // One proposal is as good as another; adopting an existing one takes fewer claims.
  const [first = proposal] = ['sole', 'contested', 'proposed'].flatMap((step) =>
    valuesOf(0, step as keyof typeof steps).sort((one, other) => one - other),
  );
  let value = first;
  for (let round = 0; ; round += 1) {
    const claim = (step: keyof typeof steps): Settled => ({
      next: { value, step: round * stepsPerRound + steps[step] },
    });
    const proposed = valuesOf(round, 'proposed');
    if (!proposed.includes(value)) return claim('proposed');
    const sole = valuesOf(round, 'sole');
    const contested = valuesOf(round, 'contested');
    if (!sole.includes(value) && !contested.includes(value)) {
      return claim(proposed.length === 1 ? 'sole' : 'contested');
    }
    if (contested.length === 0) return { decided: value };
    value = sole[0] ?? Math.min(...contested);
  }
}

/** The instant agreed on by all that ask about this view under this name: the first one's. */
export type AgreeOnInstant = (view: ViewName, name: string, proposalMs: number) => Promise<number>;

interface AgreementOptions {
  readonly events: Pick<EventReader, 'read'>;
  readonly eventSpool: Pick<Spool<PlayerEvent>, 'add'>;
  readonly clock: Pick<Clock, 'now'>;
}

export function createAgreement({ events, eventSpool, clock }: AgreementOptions): AgreeOnInstant {
  return async ({ accountId, view }, name, proposalMs) => {
    // Claims have a view of their own, so that nobody else has to read them.
    const topic = { accountId, view: identifyView('agreement', `${view} ${name}`) };
    let next: Claim = { value: proposalMs, step: steps.proposed };
    for (let stated = 0; stated < mostClaims; stated += 1) {
      const claim = {
        ...topic,
        momentMs: next.value,
        sequence: next.step,
        state: 'counted',
      } as const;
      await eventSpool.add([{ ...claim, arrivalMs: clock.now() }]);
      const whole = { fromMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER };
      const log = (await events.read({ ...topic, ...whole })) ?? [];
      const claims = log.map(
        ({ momentMs, sequence }): Claim => ({ value: momentMs, step: sequence }),
      );
      const settled = settle(claims, proposalMs);
      if ('decided' in settled) return settled.decided;
      next = settled.next;
    }
    const options = { retryAfterSeconds: 1, reason: 'overload' } as const;
    throw new Fault('UNAVAILABLE', 'Too many requests are settling the same play', options);
  };
}
