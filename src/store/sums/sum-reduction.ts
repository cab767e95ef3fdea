/**
 * Makes sums smaller after a fact's time was taken back: under the account's next epoch, so that
 * the smaller sum replaces the larger, and by one insert, so that no question sees half of it.
 * Anybody who can make time shrink may do so again and again. So an account's changes are gathered
 * and checked once in a while, and its epoch rises only if a sum really is too large.
 *
 * Nothing is lost if a process ends in between: the notes of the slots stay, and so does the
 * progress of the roll-up, until the sums are right.
 */
import type { Clock } from '../../lib/time/clock.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay, VerdictSource } from '../facts.ts';
import { type AccountSlot, isOfSlots, parametersOfSlots } from '../sql/account-days.ts';
import { tables } from '../tables/schema.ts';
import { keyColumns, type SumName, smallestGrouping, sumNames, sumOf } from '../tables/sums.ts';
import { keepPeaks } from './peaks.ts';
import { repairSums } from './sum-check.ts';
import { chooseCounting, forEachCounting, selectSlotSums, slotSumSettings } from './sum-insert.ts';
import type { Touch } from './touched-days.ts';
import { type FollowVerdicts, mostDays } from './verdict-changes.ts';

/** Slots of one statement: all their facts are read. */
const mostSlots = 192;

export interface ShrinkSums {
  /** Slots of which some sum may be too large. */
  add(slots: readonly AccountSlot[], touch: Touch): void;
  /** Settles the accounts that have waited for long enough. */
  settleSome(): Promise<void>;
  settleAll(): Promise<void>;
  /** The smallest `through` of all that waits; undefined if nothing does. */
  oldestThrough(): number | undefined;
}

interface ShrinkSumsOptions {
  readonly store: FactStore;
  readonly verdicts: Pick<VerdictSource, 'raiseEpochs'>;
  readonly followVerdicts: FollowVerdicts;
  readonly clock: Clock;
  /** How long an account waits at least. */
  readonly everyMs: number;
}

interface Waiting extends Touch {
  readonly slots: Set<number>;
}

export function createShrinkSums(options: ShrinkSumsOptions): ShrinkSums {
  const { store, verdicts, followVerdicts, clock, everyMs } = options;
  const accounts = new Map<number, Waiting>();

  const shrink = async (slots: readonly AccountSlot[]): Promise<void> => {
    const days: AccountDay[] = [];
    const now = await followVerdicts([]);
    for (const portion of portionsOf(slots, mostSlots)) {
      days.push(...(await findShrunk(store, portion, now)));
    }
    if (days.length === 0) return;
    await verdicts.raiseEpochs([...new Set(days.map(({ accountId }) => accountId))]);
    const risen = await followVerdicts([]);
    for (const portion of portionsOf(days, mostDays)) {
      await repairSums(store, portion, risen);
      await keepPeaks(store, portion, risen);
    }
  };

  const settle = async (untilMs: number): Promise<void> => {
    const due = [...accounts].filter(([, { sinceMs }]) => sinceMs <= untilMs);
    if (due.length === 0) return;
    await shrink(
      due.flatMap(([accountId, { slots }]) =>
        [...slots].map((slotStart) => ({ accountId, slotStart })),
      ),
    );
    for (const [accountId] of due) accounts.delete(accountId);
  };

  return {
    add(slots, touch) {
      for (const { accountId, slotStart } of slots) {
        const waiting = accounts.get(accountId) ?? { ...touch, slots: new Set<number>() };
        accounts.set(accountId, waiting);
        waiting.slots.add(slotStart);
      }
    },
    settleSome: () => settle(clock.monotonic() - everyMs),
    settleAll: () => settle(Number.POSITIVE_INFINITY),
    oldestThrough() {
      let oldest: number | undefined;
      for (const { through } of accounts.values()) oldest = Math.min(oldest ?? through, through);
      return oldest;
    },
  };
}

function portionsOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/* Finds days on which some stored sum is larger than its facts now give. */

/** All other sums are made of these, so none of them shrinks alone. */
const finest = smallestGrouping(keyColumns);
const keys = ['accountId', 'slot', ...keyColumns].join(', ');
const valuesOf = (made: (name: SumName) => string, stored: (name: SumName) => string) =>
  sumNames
    .map((name) => `${made(name)} AS made_${name}, ${stored(name)} AS stored_${name}`)
    .join(', ');

const findSql = forEachCounting(
  (counting, kept) => `SELECT DISTINCT accountId, toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day
    FROM (
      SELECT ${keys}
      FROM (
        SELECT ${keys}, ${valuesOf(sumOf, () => 'toUInt64(0)')}
        FROM (
        ${selectSlotSums(isOfSlots + kept.ofFacts, counting)}
        )
        WHERE slotGrouping = '${finest}'
        UNION ALL
        SELECT ${keys}, ${valuesOf(
          () => 'toUInt64(0)',
          (name) => sumOf(`max(${name})`),
        )}
        FROM ${tables.playbackSum.name}
        WHERE grouping = '${finest}' AND ${isOfSlots}${kept.ofSums}
        GROUP BY ${keys}
      )
      GROUP BY ${keys}
      HAVING ${sumNames.map((name) => `max(stored_${name}) > max(made_${name})`).join(' OR ')}
    )
    ORDER BY accountId, day`,
);

export async function findShrunk(
  store: FactStore,
  slots: readonly AccountSlot[],
  verdicts: CurrentVerdicts,
): Promise<AccountDay[]> {
  const which = { condition: isOfSlots, parameters: parametersOfSlots(slots) };
  const { textOf, parameters } = await chooseCounting(store, which, verdicts);
  const query = { name: 'find sums that shrank', sql: textOf(findSql), parameters };
  return store.select(query, { settings: slotSumSettings });
}
