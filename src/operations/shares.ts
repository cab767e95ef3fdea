import type { Share, ShareToken } from '../catalog/catalog.ts';
import type { ShareRecord } from '../wire/management/shares.ts';

/** Its link, after the URL of the service; the secret is in the fragment. */
export function pathOfShare({ start, secret }: ShareToken): string {
  return `/shared/${start}#${secret}`;
}

/** As the interface and the command line show a share. */
export function recordOfShare(share: Share): ShareRecord {
  const { shareId, name, compare, timeZone, createdBy, createdByName, period } = share;
  const days = 'from' in period ? period : undefined;
  return {
    ...{ shareId, name },
    accessKey: share.accessKey ?? null,
    packageId: share.packageId ?? null,
    filters: share.filters || null,
    sdate: days?.from ?? null,
    edate: days?.to ?? null,
    lastDays: 'lastDays' in period ? period.lastDays : null,
    ...{ compare, timeZone },
    origins: [...share.origins],
    createdAt: share.createdAt.toISOString(),
    expiresAt: share.expiresAt?.toISOString() ?? null,
    ...{ createdBy, createdByName },
  };
}
