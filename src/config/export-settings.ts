/** The settings of scheduled exports; part of config.ts. */
import Type from 'typebox';
import { exportFormats } from '../maintenance/export/exports.ts';
import { checked, schedule, separated, storagePlace, text } from './setting-types.ts';

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
