/**
 * Tells wrong sums from those that only lag behind. Until a verdict, a ceiling or a system told
 * late takes something away, what facts make only grows: a sum is wrong for certain if, after every
 * roll-up that could have followed, it is still below what the facts made before, or was above what
 * the facts make now. So slots that are written to all the time are checked as well.
 */

import { sleep } from '../../lib/time/clock.ts';
import type { SumDifference } from '../../store/facts.ts';
import type { MaintenanceContext } from '../maintenance-context.ts';

const lookAgainMs = 1_000;

/** Those of the differences that stay. */
export async function settleDifferences(
  upkeep: MaintenanceContext,
  found: readonly SumDifference[],
): Promise<readonly SumDifference[]> {
  if (found.length === 0) return [];
  const { clock, facts } = upkeep;
  const deadline = clock.monotonic() + facts.settlesWithinMs;
  const before = await verdictsNow(upkeep);
  let suspected = found;
  for (;;) {
    // Whether this roll-up sees all that the first look saw.
    const isLast = clock.monotonic() >= deadline;
    await facts.rollUp();
    const again = new Map((await checkDays(upkeep, suspected)).map((one) => [createKey(one), one]));
    const pairs = suspected.flatMap((first): [SumDifference, SumDifference][] => {
      const now = again.get(createKey(first));
      return now !== undefined && isStillWrong(first, now) ? [[first, now]] : [];
    });
    if (pairs.length === 0) return [];
    if (isLast) {
      const now = pairs.map(([, now]) => now);
      // Expected sums may have become smaller meanwhile.
      const haveShrunk = pairs.some(([first, again]) => isBelow(again.expected, first.expected));
      const isSettled = !haveShrunk && (await verdictsNow(upkeep)) === before;
      return isSettled ? now : settleDifferences(upkeep, now);
    }
    suspected = pairs.map(([first]) => first);
    await sleep(clock, Math.min(lookAgainMs, facts.settlesWithinMs));
  }
}

/** Checks the days of these differences again. */
export async function checkDays(
  { facts }: MaintenanceContext,
  about: readonly SumDifference[],
): Promise<SumDifference[]> {
  const found: SumDifference[] = [];
  for (const days of portionsOfDays(about, facts.daysAtOnce)) {
    found.push(...(await facts.checkSums(days)));
  }
  return found;
}

type Day = Pick<SumDifference, 'accountId' | 'day'>;

/** Each day once, those of an account together. */
export function portionsOfDays(about: readonly Day[], size: number): Day[][] {
  const days = [...new Map(about.map((one) => [`${one.accountId} ${one.day}`, one])).values()];
  const byAccount = Object.values(Object.groupBy(days, ({ accountId }) => accountId));
  return byAccount.flatMap((own = []) =>
    Array.from({ length: Math.ceil(own.length / size) }, (_, index) =>
      own.slice(index * size, (index + 1) * size),
    ),
  );
}

function isStillWrong(first: SumDifference, now: SumDifference): boolean {
  if (first.epochsAhead > 0 && now.epochsAhead > 0) return true;
  return (
    isBelow(now.found, first.expected) ||
    // What was above what the facts make now, and still is.
    (isBelow(now.expected, first.found) && isBelow(now.expected, now.found))
  );
}

/** Whether any value is smaller than that of the same name. */
export function isBelow(some: SumDifference['found'], others: SumDifference['found']): boolean {
  return Object.entries(others).some(([name, other]) => (some[name] ?? 0) < other);
}

function createKey({ accountId, grouping, atMs, about }: SumDifference): string {
  return `${accountId} ${grouping} ${atMs} ${about}`;
}

async function verdictsNow({ catalog }: MaintenanceContext): Promise<string> {
  const { accepted, epochs } = await catalog.verdicts.current();
  return JSON.stringify([accepted, [...epochs]]);
}
