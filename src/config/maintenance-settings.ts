/** The settings of scheduled backups and verifications; part of config.ts. */
import Type from 'typebox';
import { exportFormats } from '../maintenance/export/exports.ts';
import { checked, schedule, separated, storagePlace, text, whole } from './setting-types.ts';

export const maintenanceSettings = {
  BACKUP_SCHEDULE: Type.Optional(
    schedule(
      'When the service makes a whole backup by itself: a cron expression, in UTC; default: never',
    ),
  ),
  BACKUP_TO: Type.Optional(
    storagePlace(
      'Where to: a folder on another disk, or s3://BUCKET/PREFIX; each backup gets a folder there',
      's3://my-backups/playmeter',
    ),
  ),
  BACKUP_KEEP: whole(
    'How many of these backups are kept; older ones are removed once a new one is finished',
    7,
    1,
    10_000,
  ),
  VERIFY_SCHEDULE: Type.Optional(
    schedule(
      'When the service verifies everything that is stored: a cron expression, in UTC; default: ' +
        'never',
    ),
  ),
};

/** The settings of scheduled exports; part of config.ts. */
export const exportSettings = {
  EXPORT_SCHEDULE: Type.Optional(
    schedule(
      'When the service exports the facts of complete days by itself: a cron expression, in ' +
        'UTC; default: never',
    ),
  ),
  EXPORT_TO: Type.Optional(
    storagePlace(
      'Where to: a folder that all nodes share, or s3://BUCKET/PREFIX',
      's3://my-exports/playmeter',
    ),
  ),
  EXPORT_FORMAT: Type.Enum([...exportFormats], {
    description: 'Format of these files',
    default: 'parquet',
  }),
  EXPORT_ACCOUNTS: checked(
    text('Numbers of the accounts that are exported, separated by commas, or all', 'all'),
    (value) => value === 'all' || separated(value).every((one) => /^[1-9]\d{0,9}$/.test(one)),
    'must be all, or numbers of accounts separated by commas',
  ),
};
