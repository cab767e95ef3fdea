/** Checks that everything stored fits together, and stores wrong sums again if asked to. */

import type { Erasure, NameOfFacts } from '../../catalog/catalog.ts';
import { untilAborted } from '../../lib/tasks/abortable.ts';
import { sleep } from '../../lib/time/clock.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import type {
  DamagedPart,
  DayOfFacts,
  JournalHealth,
  OtherBeginnings,
  SumDifference,
} from '../../store/facts.ts';
import { findKeptSince } from '../../vocabulary/erasures.ts';
import type { MaintenanceContext } from '../maintenance-context.ts';
import { checkDays, isBelow, portionsOfDays, settleDifferences } from './settled-differences.ts';

/** Facts that one statement reads, or the facts of a day. */
const factsAtOnce = 2_000_000;
/** Differences that wait together until it is certain that they stay. */
const mostSuspected = 20_000;
/** A repair that something else undoes is not repeated for ever. */
const mostRepairs = 3;

interface VerifyOptions {
  /** Absent: all. */
  readonly accountId?: number | undefined;
  readonly repairs: boolean;
  /** Interrupts it; whoever closes the stores then ends the statement that is under way. */
  readonly signal: AbortSignal;
  /** Gets the share that is done, from 0 to 1. */
  readonly noteProgress: (share: number) => void;
}

export interface Verification {
  readonly accounts: number;
  readonly days: number;
  readonly facts: number;
  /** Receipts whose playback was looked for. */
  readonly erasures: number;
  /** Those of which something is stored. */
  readonly undoneErasures: readonly Erasure[];
  /** Wrong sums, as they were found. */
  readonly sums: readonly SumDifference[];
  /** Those that are still wrong. */
  readonly remaining: readonly SumDifference[];
  readonly unknownNames: readonly (NameOfFacts & { readonly accountId: number })[];
  /** Nothing is wrong with them, but their senders number wrongly. */
  readonly otherBeginnings: readonly (OtherBeginnings & { readonly accountId: number })[];
  /** Why facts and sums could not be checked at all; undefined if they were. */
  readonly unsummed: string | undefined;
  readonly damagedParts: readonly DamagedPart[];
  readonly journal: JournalHealth;
  readonly catalog: readonly string[];
}

export async function verify(
  upkeep: MaintenanceContext,
  options: VerifyOptions,
): Promise<Verification> {
  const verification = await untilAborted(verifyAll(upkeep, options), options.signal);
  if (options.accountId === undefined && isSound(verification)) await upkeep.noteVerified();
  return verification;
}

async function verifyAll(
  upkeep: MaintenanceContext,
  { accountId, repairs, signal, noteProgress }: VerifyOptions,
): Promise<Verification> {
  const { catalog, facts, whyUnsummed } = upkeep;
  const checkFiles = async (share: number) => ({
    damagedParts: await facts.checkParts((done) => noteProgress(1 - share + share * done)),
    journal: await upkeep.checkJournal(),
    catalog: await catalog.upkeep.damage(),
  });
  if (whyUnsummed !== undefined) {
    return { ...nothingChecked, unsummed: whyUnsummed, ...(await checkFiles(1)) };
  }
  const accounts = accountId === undefined ? await facts.accounts() : [accountId];
  // First, so that the sums are checked without what must not be there.
  const erasures = await verifyErasures(upkeep, accountId, repairs);
  // Of earlier days only the sums are left.
  const current = await catalog.verdicts.current();
  const since = (own: number) => findKeptSince(current.erasures, own);
  const counts = { accounts: accounts.length, days: 0, facts: 0 };
  const unknownNames: Verification['unknownNames'][number][] = [];
  const otherBeginnings: Verification['otherBeginnings'][number][] = [];
  const sums: SumDifference[] = [];
  let suspected: SumDifference[] = [];
  const settle = async (): Promise<void> => {
    sums.push(...(await settleDifferences(upkeep, suspected)));
    suspected = [];
  };
  // The sums are about two thirds of the work, reading all files the rest.
  for (const [index, own] of accounts.entries()) {
    const unknown = await catalog.upkeep.unknownOf(own, await facts.namesOf(own));
    unknownNames.push(...unknown.map((name) => ({ accountId: own, ...name })));
    const others = await facts.otherBeginnings(own);
    otherBeginnings.push(...others.map((stretch) => ({ accountId: own, ...stretch })));
    const days = (await facts.daysOf(own)).filter(({ day }) => day >= since(own));
    counts.days += days.length;
    counts.facts += days.reduce((sum, day) => sum + day.facts, 0);
    let done = 0;
    for (const some of splitDays(days, facts.daysAtOnce)) {
      signal.throwIfAborted();
      suspected.push(...(await facts.checkSums(some)));
      if (suspected.length >= mostSuspected) await settle();
      done += some.length;
      noteProgress(((index + done / days.length) / accounts.length) * 0.7);
    }
  }
  await settle();
  return {
    ...counts,
    erasures: erasures.checked,
    undoneErasures: repairs ? [] : erasures.undone,
    sums,
    remaining: repairs ? await repair(upkeep, sums, signal) : sums,
    ...{ unknownNames, otherBeginnings },
    unsummed: undefined,
    ...(await checkFiles(0.3)),
  };
}

const nothingChecked = {
  ...{ accounts: 0, days: 0, facts: 0, erasures: 0 },
  ...{ undoneErasures: [], sums: [], remaining: [], unknownNames: [] },
  otherBeginnings: [],
};

/** Whether there is anything that `verify` should have found as it is expected to be. */
export function isSound({ remaining, unknownNames, ...other }: Verification): boolean {
  const { undoneErasures, unsummed, damagedParts, journal, catalog } = other;
  const found = [remaining, unknownNames, undoneErasures, damagedParts, journal.damaged, catalog];
  return unsummed === undefined && found.every((some) => some.length === 0);
}

/** Days that are checked together: few of many facts, many of few. */
function splitDays(days: readonly DayOfFacts[], mostDays: number): DayOfFacts[][] {
  const portions: DayOfFacts[][] = [];
  let room = 0;
  for (const day of days) {
    const portion = portions.at(-1);
    room -= day.facts;
    if (portion === undefined || portion.length === mostDays || room < 0) {
      portions.push([day]);
      room = factsAtOnce - day.facts;
    } else portion.push(day);
  }
  return portions;
}

/** Resolves to what is still wrong. */
async function repair(
  upkeep: MaintenanceContext,
  wrong: readonly SumDifference[],
  signal: AbortSignal,
): Promise<readonly SumDifference[]> {
  let remaining = wrong;
  for (let round = 0; round < mostRepairs && remaining.length > 0; round += 1) {
    signal.throwIfAborted();
    await raiseEpochs(upkeep, remaining);
    for (const days of portionsOfDays(remaining, upkeep.facts.daysAtOnce)) {
      await upkeep.facts.repairSums(days);
    }
    // A roll-up of another process may have begun by the earlier epoch and end only now. What it
    // alone has seen is summed again by ours, once its notes are visible.
    await sleep(upkeep.clock, upkeep.facts.settlesWithinMs);
    await upkeep.facts.rollUp();
    remaining = await settleDifferences(upkeep, await checkDays(upkeep, remaining));
  }
  return remaining;
}

/** Where a stored sum is too large, only one of a higher epoch takes its place. */
async function raiseEpochs(
  { catalog }: MaintenanceContext,
  wrong: readonly SumDifference[],
): Promise<void> {
  const raises = new Map<number, number>();
  for (const { accountId, found, expected, epochsAhead } of wrong) {
    if (!isBelow(expected, found) && epochsAhead <= 0) continue;
    const by = Math.max(0, epochsAhead) + 1;
    raises.set(accountId, Math.max(by, raises.get(accountId) ?? 0));
  }
  for (const [accountId, by] of raises) {
    if ((await catalog.accounts.find(accountId)) === undefined) continue;
    accepted(await catalog.verdicts.raiseEpoch(accountId, by));
  }
}

interface VerifiedErasures {
  /** Receipts that were looked at. */
  readonly checked: number;
  /** Those of which something is stored. */
  readonly undone: readonly Erasure[];
}

/** Proves that what was erased is gone, and erases it again if asked to. */
async function verifyErasures(
  { catalog, eraser }: MaintenanceContext,
  accountId: number | undefined,
  repairs: boolean,
): Promise<VerifiedErasures> {
  // Also accounts without facts and sums, which may have events.
  const { erasures } = await catalog.verdicts.current();
  const accounts = accountId === undefined ? (erasures?.accounts ?? []) : [accountId];
  const undone: Erasure[] = [];
  let checked = 0;
  for (const own of accounts) {
    const all = await catalog.erasures.list(own);
    checked += all.length;
    for (const erasure of await eraser.undone(catalog, own)) {
      if (repairs) await eraser.repeat(catalog, erasure.receipt);
      undone.push(erasure);
    }
  }
  return { checked, undone };
}
