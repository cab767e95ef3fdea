/** What the configuration says of what is kept: for the privacy sheet. */
import type { Config } from './config.ts';
import type { Keeping } from './managing/privacy-sheet.ts';

export function keepingOf(config: Config): Keeping {
  const { AUDIT_DAYS, SNAPSHOT_LIFETIME_SECONDS, GEO_HEADER, GEO_MMDB } = config;
  const database = GEO_MMDB ? 'a database file of the operator' : 'a database in the service';
  return {
    auditDays: AUDIT_DAYS,
    snapshotSeconds: SNAPSHOT_LIFETIME_SECONDS,
    countrySource: GEO_HEADER ? `the proxy's header \`${GEO_HEADER}\`, else ${database}` : database,
  };
}
