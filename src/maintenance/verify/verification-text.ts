/** What `verify` found: each difference as JSON, and each account and day as a line for people. */

import { assert } from '../../lib/assert.ts';
import { toUtcDay } from '../../lib/time/utc-day.ts';
import type { SumDifference } from '../../store/facts.ts';
import { isBelow } from './settled-differences.ts';
import { isSound, type Verification } from './verify.ts';

export interface VerificationReport {
  readonly json: object;
  readonly lines: readonly string[];
  readonly isIncomplete: boolean;
}

export function describeVerification(verification: Verification): VerificationReport {
  const { accounts, days, facts, erasures, unknownNames, ...others } = verification;
  const { undoneErasures, unsummed, damagedParts, journal, catalog, ...told } = others;
  const otherBeginnings = told.otherBeginnings.map(({ beginningsMs, ...stretch }) => ({
    ...stretch,
    beginnings: beginningsMs.map((ms) => new Date(ms).toISOString()),
  }));
  const undone = undoneErasures.map(({ accountId, receipt }) => ({ accountId, receipt }));
  const wrongStill = new Set(verification.remaining.map(dayKey));
  const differences = verification.sums.map((one) => ({
    accountId: one.accountId,
    day: toUtcDay(one.day),
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
    ...{ unknownNames, otherBeginnings, unsummed: unsummed ?? null },
    ...{ damagedParts, journal, catalog },
  };
  const lines = [
    ...[...Map.groupBy(verification.sums, dayKey).values()].map((own) =>
      lineOfDay(own, wrongStill),
    ),
    ...unknownNames.map(
      ({ accountId, packageId, videoId }) =>
        `Account ${accountId}: has playback of video ${videoId} in package ${packageId}, ` +
        'which the catalog does not know',
    ),
    ...otherBeginnings.map(
      ({ accountId, videoId, view, stretch, beginnings }) =>
        `Account ${accountId}: stretch ${stretch} of view ${view} of video ${videoId} was told to ` +
        `begin at ${beginnings.join(' and ')}; only the first counts`,
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

/** Also where its epoch is: sums made from now on would be smaller. */
function isTooLarge({ found, expected, epochsAhead }: SumDifference): boolean {
  return epochsAhead > 0 || isBelow(expected, found);
}

function dayKey({ accountId, day }: SumDifference): string {
  return `${accountId} ${day}`;
}

function lineOfDay(own: readonly SumDifference[], wrongStill: ReadonlySet<string>): string {
  const [first] = own;
  assert(first, 'a day is reported for its differences');
  const { accountId, day, grouping, atMs, found, expected } = first;
  const tooLarge = own.filter(isTooLarge).length;
  const shown = (values: SumDifference['found']) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
  return (
    `Account ${accountId}, ${toUtcDay(day)}: ${own.length - tooLarge} sums too small, ${tooLarge} ` +
    `too large${wrongStill.has(dayKey(first)) ? '' : '; repaired'} (such as ${grouping} at ` +
    `${new Date(atMs).toISOString()}: ${shown(found)} are stored, the facts make ${shown(expected)})`
  );
}
