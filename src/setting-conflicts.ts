/** What settings say of each other that cannot be: each alone is valid. */
import { isPlainName } from './setting-forms.ts';

interface StoreSettings {
  readonly CLICKHOUSE_URL?: string;
  readonly CLICKHOUSE_CLUSTER?: string;
  readonly CLICKHOUSE_DATABASE: string;
  readonly SMTP_URL?: string;
  readonly MAIL_FROM?: string;
}

export function conflictsOf(settings: StoreSettings): string[] {
  const {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_CLUSTER: cluster,
    CLICKHOUSE_DATABASE: database,
  } = settings;
  const conflicts: string[] = [];
  if (cluster !== undefined && url === undefined) {
    conflicts.push('CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL: the servers of the cluster');
  }
  if (cluster === undefined && url?.includes(',')) {
    conflicts.push(
      'CLICKHOUSE_URL names several servers: CLICKHOUSE_CLUSTER must name their cluster',
    );
  }
  if (cluster !== undefined && !isPlainName(database)) {
    conflicts.push('CLICKHOUSE_DATABASE must be a name of letters, digits and _ on a cluster');
  }
  if (settings.SMTP_URL !== undefined && settings.MAIL_FROM === undefined) {
    conflicts.push('SMTP_URL needs MAIL_FROM: the sender of mails');
  }
  return conflicts;
}
