/** The settings of scheduled exports; part of config.ts. */
import Type from 'typebox';
import { readSchedule } from '../lib/time/schedule.ts';
import { exportFormats } from '../maintenance/export/exports.ts';
import { checked, separated, text } from './setting-types.ts';

const scheduleExample = '30 4 * * *';
const placeExample = 's3://my-exports/playmeter';

export const exportSettings = {
  EXPORT_SCHEDULE: Type.Optional(
    checked(
      Type.String({
        description:
          'When the service exports the facts of complete days by itself: a cron expression, in ' +
          'UTC; default: never',
        examples: [scheduleExample],
      }),
      (value) => readSchedule(value) !== undefined,
      'must be a cron expression of five parts that is due at some time, such as ' +
        scheduleExample,
    ),
  ),
  EXPORT_TO: Type.Optional(
    checked(
      Type.String({
        description: 'Where to: a folder that all nodes share, or s3://BUCKET/PREFIX',
        examples: [placeExample],
      }),
      (value) => !value.includes('://') || /^s3:\/\/[a-z0-9][a-z0-9.-]{1,62}(\/\S*)?$/i.test(value),
      `must be a folder or a place such as ${placeExample}`,
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
