/** What `verify` found: each difference as JSON, and each account and day as a line for people. */

import { utcDayOf } from '../../lib/time/utc-day.ts';
import type { SumDifference } from '../../store/facts.ts';
import { isBelow } from './settled-differences.ts';
import { isSound, type Verification } from './verify.ts';

interface DayOfDifferences {
  readonly accountId: number;
  /** UTC, yyyy-mm-dd. */
  readonly day: string;
  readonly tooSmall: number;
  readonly tooLarge: number;
  readonly isRepaired: boolean;
  readonly example: Example;
}

interface Example {
  readonly grouping: string;
  readonly at: string;
  readonly found: SumDifference['found'];
  readonly expected: SumDifference['expected'];
}

export interface VerificationReport {
  readonly json: object;
  readonly lines: readonly string[];
  readonly isIncomplete: boolean;
}

export function describeVerification(verification: Verification): VerificationReport {
  const { accounts, days, facts, erasures, unknownNames, ...others } = verification;
  const { undoneErasures, unsummed, damagedParts, journal, catalog } = others;
  const undone = undoneErasures.map(({ accountId, receipt }) => ({ accountId, receipt }));
  const wrongStill = new Set(verification.remaining.map(dayKey));
  const differences = verification.sums.map((one) => ({
    accountId: one.accountId,
    day: utcDayOf(one.day),
    grouping: one.grouping,
    stored: one.found,
    right: one.expected,
    at: new Date(one.atMs).toISOString(),
    about: one.about,
    isRepaired: !wrongStill.has(dayKey(one)),
  }));
  const isIncomplete = !isSound(verification);
  const json = {
    isSound: !isIncomplete,
    ...{ accounts, days, facts, erasures, undoneErasures: undone },
    differences,
    ...{ unknownNames, unsummed: unsummed ?? null, damagedParts, journal, catalog },
  };
  const lines = [
    ...byDay(verification).map(lineOfDay),
    ...unknownNames.map(
      ({ accountId, packageId, videoId }) =>
        `Account ${accountId}: has playback of video ${videoId} in package ${packageId}, ` +
        'which the catalog does not know',
    ),
    ...undone.map(
      ({ accountId, receipt }) =>
        `Account ${accountId}: has playback of what was erased under receipt ${receipt}`,
    ),
    ...(unsummed === undefined
      ? []
      : [`Statistics: nothing can be summed, so that no sum was checked: ${unsummed}`]),
    ...damagedParts.map(
      ({ table, part, reason }) => `Statistics: part ${part} of ${table} is damaged: ${reason}`,
    ),
    ...journal.damaged.map(
      ({ file, places }) => `Journal: ${file} has ${places} places that cannot be read`,
    ),
    ...(journal.setAside.length > 0
      ? [`Journal: ${journal.setAside.length} damaged files of earlier starts are kept`]
      : []),
    ...catalog.map((complaint) => `Catalog: ${complaint}`),
    `Checked ${facts} facts of ${days} days in ${accounts} accounts, ${erasures} erasures, the ` +
      `catalog, the journal and all files of the statistics: ${isIncomplete ? 'not all' : 'all'} ` +
      'is right',
  ];
  return { json, lines, isIncomplete };
}

function byDay({ sums, remaining }: Verification): DayOfDifferences[] {
  const wrongStill = new Set(remaining.map(dayKey));
  const days = Object.values(Object.groupBy(sums, dayKey));
  return days.flatMap((own = []) => {
    const [first] = own;
    if (first === undefined) return [];
    const tooLarge = own.filter(isTooLarge).length;
    return [
      {
        accountId: first.accountId,
        day: utcDayOf(first.day),
        tooSmall: own.length - tooLarge,
        tooLarge,
        isRepaired: !wrongStill.has(dayKey(first)),
        example: {
          grouping: first.grouping,
          at: new Date(first.atMs).toISOString(),
          found: first.found,
          expected: first.expected,
        },
      },
    ];
  });
}

/** Also where its epoch is: sums made from now on would be smaller. */
function isTooLarge({ found, expected, epochsAhead }: SumDifference): boolean {
  return epochsAhead > 0 || isBelow(expected, found);
}

function dayKey({ accountId, day }: SumDifference): string {
  return `${accountId} ${day}`;
}

function lineOfDay({ accountId, day, tooSmall, tooLarge, isRepaired, example }: DayOfDifferences) {
  const { grouping, at, found, expected } = example;
  const shown = (values: SumDifference['found']) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
  return (
    `Account ${accountId}, ${day}: ${tooSmall} sums too small, ${tooLarge} too large` +
    `${isRepaired ? '; repaired' : ''} (such as ${grouping} at ${at}: ` +
    `${shown(found)} are stored, the facts make ${shown(expected)})`
  );
}
