/** The settings of scheduled backups and verifications; part of config.ts. */
import Type from 'typebox';
import { schedule, storagePlace, whole } from './setting-types.ts';

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
