/** What the configuration says of what is kept and passed on: for the privacy sheet. */
import type { Config } from '../../config/config.ts';
import type { RetentionPolicy } from '../../operations/privacy-sheet.ts';

export function createRetentionPolicy(config: Config): RetentionPolicy {
  const { EXPORT_SCHEDULE, EXPORT_TO, EXPORT_ACCOUNTS } = config;
  const { AUDIT_DAYS, SNAPSHOT_LIFETIME_SECONDS, GEO_HEADER, GEO_MMDB } = config;
  const database = GEO_MMDB ? 'a database file of the operator' : 'a database in the service';
  return {
    auditDays: AUDIT_DAYS,
    snapshotSeconds: SNAPSHOT_LIFETIME_SECONDS,
    countrySource: GEO_HEADER ? `the proxy's header \`${GEO_HEADER}\`, else ${database}` : database,
    exports:
      EXPORT_SCHEDULE && EXPORT_TO ? { to: EXPORT_TO, accounts: EXPORT_ACCOUNTS } : undefined,
  };
}
