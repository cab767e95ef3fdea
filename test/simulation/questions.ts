/** Random questions of every kind, and what the naive oracle says to them. */
import fc from 'fast-check';
import type { Oracle } from './oracle.ts';
import { systems, zones } from './viewers.ts';
import type { World } from './world.ts';

export interface AnyQuestion {
  readonly kind: 'date' | 'hour' | 'os' | 'detail';
  readonly account: number;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly zone: string | undefined;
  /** Index of a publication whose package and video are asked for, or of one that is not there. */
  readonly packageOf: number | undefined;
  readonly videoOf: number | undefined;
  readonly system: number;
  readonly sort: 'label' | 'videoCount' | 'duration' | undefined;
  readonly direction: 'asc' | 'desc' | undefined;
  readonly pageSize: number;
}

/** Nothing left out, in the order and on the pages that are usual. */
export const everything: Omit<AnyQuestion, 'kind' | 'account' | 'firstDay' | 'lastDay'> = {
  zone: undefined,
  packageOf: undefined,
  videoOf: undefined,
  system: 0,
  sort: undefined,
  direction: undefined,
  pageSize: 1_000,
};

/** First and last day. */
export type Range = readonly [string, string];

export const delicateRanges: readonly Range[] = [
  ['2025-12-31', '2025-12-31'],
  ['2025-12-30', '2026-01-02'],
  ['2026-02-28', '2026-03-01'],
  ['2026-03-07', '2026-03-09'],
  ['2026-01-01', '2026-12-31'],
  ['2020-01-01', '2029-12-31'],
  ['2026-04-04', '2026-04-05'],
  ['2026-09-20', '2026-09-20'],
  ['2026-11-01', '2026-11-01'],
  ['2019-01-01', '2019-12-31'],
  ['2011-12-29', '2011-12-31'],
  ['2011-12-30', '2011-12-30'],
];

export function anyQuestion(
  accounts: number,
  publications: number,
  ranges: readonly Range[] = delicateRanges,
) {
  return fc
    .record({
      kind: fc.constantFrom('date', 'hour', 'os', 'detail'),
      account: fc.nat(accounts - 1),
      range: fc.constantFrom(...ranges),
      zone: fc.option(fc.constantFrom(...zones), { nil: undefined }),
      packageOf: fc.option(fc.nat(publications - 1), { nil: undefined }),
      videoOf: fc.option(fc.nat(publications - 1), { nil: undefined }),
      system: fc.nat(systems.length - 1),
      sort: fc.constantFrom('label', 'videoCount', 'duration', undefined),
      direction: fc.constantFrom('asc', 'desc', undefined),
      pageSize: fc.integer({ min: 1, max: 12 }),
    })
    .map(({ range: [firstDay, lastDay], ...question }) => ({
      ...question,
      firstDay,
      lastDay: question.kind === 'hour' ? firstDay : lastDay,
    })) as fc.Arbitrary<AnyQuestion>;
}

const ownLabels = { date: 'date', hour: 'hour', os: 'os', detail: 'detail' };
const defaultSorts = { date: 'label', hour: 'label', os: 'videoCount', detail: 'label' } as const;

export function queryOf(question: AnyQuestion, { publications }: World): URLSearchParams {
  const { kind, firstDay, lastDay, zone, packageOf, videoOf, sort, direction } = question;
  const query = new URLSearchParams(
    kind === 'hour' ? { date: firstDay } : { sdate: firstDay, edate: lastDay },
  );
  const set = (name: string, value: string | number | undefined) => {
    if (value !== undefined) query.set(name, String(value));
  };
  set('os', kind === 'detail' ? systems[question.system]?.name : undefined);
  set('timeZone', zone);
  set('packageId', packageOf === undefined ? undefined : publications[packageOf]?.packageId);
  set('accessKey', videoOf === undefined ? undefined : publications[videoOf]?.accessKey);
  set('sortData', sort === 'label' ? ownLabels[kind] : sort);
  set('sortDirection', direction);
  set('pageSize', question.pageSize);
  return query;
}

export type Row = Record<string, string>;

/** All rows in order, reckoned the naive way. */
export function expectedRows(question: AnyQuestion, world: World): Row[] {
  const { kind, direction = 'desc' } = question;
  const counts = countsOf(question, world);
  const rows = [...counts].map(([label, { plays, playMs }]) => ({
    label,
    plays,
    seconds: Math.floor(playMs / 1_000),
  }));
  const sort = question.sort ?? defaultSorts[kind];
  const sign = direction === 'asc' ? 1 : -1;
  rows.sort((one, other) => {
    const byLabel = compareLabels(one.label, other.label);
    if (sort === 'label') return sign * byLabel;
    const [a, b] = sort === 'duration' ? [one.seconds, other.seconds] : [one.plays, other.plays];
    return a === b ? byLabel : sign * (a - b);
  });
  return rows.map(({ label, plays, seconds }) => ({
    duration: String(seconds),
    videoCount: String(plays),
    ...labelsOf(question, label),
  }));
}

function countsOf(question: AnyQuestion, { oracle, accounts, publications }: World) {
  const account = accounts[question.account];
  if (!account) throw new Error('no such account');
  const { kind, firstDay, lastDay, packageOf, videoOf, system } = question;
  const asked: Parameters<Oracle['answer']>[0] = {
    accountId: account.accountId,
    timeZone: question.zone ?? account.timeZone,
    firstDay,
    lastDay,
    packageId: packageOf === undefined ? undefined : publications[packageOf]?.packageId,
    accessKey: videoOf === undefined ? undefined : publications[videoOf]?.accessKey,
    os: kind === 'detail' ? systems[system]?.name : undefined,
  };
  return oracle.answer(asked, ({ date, hour, os, version }) => {
    return { date, hour, os, detail: version }[kind];
  });
}

function labelsOf({ kind, firstDay, system }: AnyQuestion, label: string): Row {
  switch (kind) {
    case 'hour':
      return { date: firstDay, hour: label };
    case 'detail':
      return { os: systems[system]?.name ?? '', detail: label };
    default:
      return { [kind]: label };
  }
}

/** Versions with leading zeros put before each number, so that text order is number order. */
function compareLabels(one: string, other: string): number {
  const padded = (label: string) => label.replace(/\d+/g, (digits) => digits.padStart(8, '0'));
  return padded(one) < padded(other) ? -1 : padded(one) > padded(other) ? 1 : 0;
}
