/** What settings say of each other that cannot be: each alone is valid. */
import { isPlainName } from './setting-types.ts';

interface RelatedSettings {
  readonly CLICKHOUSE_URL?: string;
  readonly CLICKHOUSE_CLUSTER?: string;
  readonly CLICKHOUSE_DATABASE: string;
  readonly SMTP_URL?: string;
  readonly MAIL_FROM?: string;
  readonly EXPORT_SCHEDULE?: string;
  readonly EXPORT_TO?: string;
  readonly AWS_ACCESS_KEY_ID?: string;
  readonly AWS_SECRET_ACCESS_KEY?: string;
}

export function conflictsOf(settings: RelatedSettings): string[] {
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
  return [...conflicts, ...exportConflictsOf(settings)];
}

function exportConflictsOf(settings: RelatedSettings): string[] {
  const { EXPORT_SCHEDULE: schedule, EXPORT_TO: to } = settings;
  if (schedule === undefined) return [];
  if (to === undefined) return ['EXPORT_SCHEDULE needs EXPORT_TO: where to'];
  const hasKey = settings.AWS_ACCESS_KEY_ID !== undefined && settings.AWS_SECRET_ACCESS_KEY;
  if (!to.startsWith('s3://') || hasKey) return [];
  return ['EXPORT_TO needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for an object store'];
}
