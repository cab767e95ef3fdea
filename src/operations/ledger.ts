import { checkRange } from '../query/parse/range-parser.ts';
import { type LedgerSum, openColumns } from '../store/facts.ts';
import { suspectReasons } from '../vocabulary/suspects.ts';
import { refusalReasons } from '../wire/beacons/beacon.ts';
import { Ledger, type LedgerDay, LedgerRequest, limitReasons } from '../wire/beacons/ledger.ts';
import { defineOperation } from './operation.ts';

export const ledger = [
  defineOperation({
    ...{ method: 'GET', url: '/manage/v1/ledger', operationId: 'ledger' },
    role: 'manager',
    summary: 'Get the ledger: how many beacons counted and why others did not',
    description:
      'Each beacon of every acknowledged request appears here once: as counted, erased, set ' +
      'apart or refused. A beacon that was sent twice appears twice; statistics count it once. ' +
      'Beacons answered with `503` are counted separately once they have been read; those ' +
      'refused before, or with `429`, and those for unknown videos appear only in `/metrics`. ' +
      'Requests with a key that were answered with `429` are counted separately.\n\n' +
      'Days are in UTC, by the clock of the service. Counts are written once a second: other ' +
      'nodes show them after that. With the bundled engine those of accepted beacons are on disk ' +
      'with what they count; with `CLICKHOUSE_URL`, of refused ones, and of accounts of which ' +
      'something was erased, a process that is killed loses up to one second of counts. The ' +
      'statistics lose nothing.',
    query: LedgerRequest,
    check: ({ sdate, edate }) => checkRange(sdate, edate),
    answers: { 200: Ledger },
    serve: async ({ accountId, catalog, service, query: { sdate: firstDay, edate: lastDay } }) => {
      const sums = await service.readLedger({ accountId, firstDay, lastDay });
      const days = Map.groupBy(sums, ({ day }) => day);
      const labels = await catalog.labels.list(accountId);
      const names = new Map(labels.map(({ number, name }) => [`label${number}`, `label.${name}`]));
      const list = [...days].map(([date, outcomes]) => ({
        ...toLedgerDay(date, outcomes),
        fullDimensions: findFullDimensions(date, outcomes, names),
      }));
      return { list };
    },
  }),
];

/** By the names of labels; one that was deleted has its column's. */
function findFullDimensions(
  date: string,
  outcomes: readonly LedgerSum[],
  names: ReadonlyMap<string, string>,
): LedgerDay['fullDimensions'] {
  return openColumns.flatMap((column) => {
    const others = outcomes.filter(({ outcome }) => outcome.startsWith(`OTHER_${column}_`));
    const hours = others.map(({ outcome }) => outcome.slice(-2)).sort();
    if (hours.length === 0) return [];
    return {
      dimension: names.get(column) ?? column,
      since: `${date}T${hours[0]}:00:00Z`,
      named: outcomes.find(({ outcome }) => outcome === `NEW_${column}`)?.beacons ?? 0,
      other: others.reduce((sum, { beacons }) => sum + beacons, 0),
    };
  });
}

function toLedgerDay(
  date: string,
  outcomes: readonly LedgerSum[],
): Omit<LedgerDay, 'fullDimensions'> {
  const beaconsOf = (code: string) =>
    outcomes.find(({ outcome }) => outcome === code)?.beacons ?? 0;
  const byReason = (reasons: object, prefix: string): Record<string, number> =>
    Object.fromEntries(
      Object.keys(reasons).map((reason) => [reason, beaconsOf(`${prefix}${reason}`)]),
    );
  const counted = beaconsOf('COUNTED');
  const erased = beaconsOf('ERASED');
  const setApart = byReason(suspectReasons, 'SUSPECT_');
  const refused = byReason(refusalReasons, '');
  const apart = [...Object.values(setApart), ...Object.values(refused)];
  const received = apart.reduce((sum, beacons) => sum + beacons, counted + erased);
  const unavailable = beaconsOf('UNAVAILABLE');
  const labelsLeftOut = beaconsOf('LABEL_LEFT_OUT');
  const limitedRequests = byReason(limitReasons, 'LIMITED_');
  const others = { unavailable, labelsLeftOut, limitedRequests };
  return { date, received, counted, erased, setApart, refused, ...others };
}
