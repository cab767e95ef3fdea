/** A share as its row has it. */
import type { Connection } from '../database/connection.ts';
import { originsOf } from '../library/allowed-origins.ts';
import type { Share } from '../shares.ts';

export function selectShares(connection: Connection) {
  return connection.selectFrom('shares').selectAll();
}

type ShareRow = Awaited<ReturnType<ReturnType<typeof selectShares>['execute']>>[number];

export function shareOf(row: ShareRow): Share {
  const { fromDay, toDay, lastDays } = row;
  const isFixed = fromDay !== null && toDay !== null;
  return {
    shareId: row.id,
    accountId: row.accountId,
    name: row.name,
    accessKey: row.accessKey ?? undefined,
    packageId: row.packageId ?? undefined,
    filters: row.filters,
    period: isFixed ? { from: fromDay, to: toDay } : { lastDays: lastDays ?? 1 },
    compare: row.compare,
    timeZone: row.timeZone,
    origins: originsOf(row.origins),
    createdAt: new Date(row.createdAtMs),
    expiresAt: row.expiresAtMs === null ? undefined : new Date(row.expiresAtMs),
    createdBy: row.actor,
    createdByName: row.actorName,
  };
}

/** What the audit says of it. */
export function notedShare(share: Share): object {
  const { name, accessKey, packageId, filters, period, compare, timeZone } = share;
  const { origins, expiresAt } = share;
  return {
    ...{ name, accessKey, packageId, filters, ...period, compare, timeZone },
    ...{ origins, expiresAt },
  };
}
