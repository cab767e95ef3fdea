/**
 * Counts checked days (regular-views.ts) by one dimension at a time, so that a question about a
 * year reads rows of days instead of facts (docs/decisions/audience-days.md).
 *
 * Invariant: a day's counts are current while the day is checked, no view of it was marked since
 * they were made, and nothing was taken out of the account. If a viewer of a day has a view without
 * a mark, all the viewer's views are on that day and without a mark, so counts of several days add
 * up. Marked views, and viewers named by the page, are counted from the facts by each question.
 */
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AudienceDay, SlotRange } from '../facts.ts';
import { slotsOfWholeDays } from '../sql/account-days.ts';
import { viewNumber } from '../sql/regular-view.ts';
import type { AudienceGroupingName } from '../tables/audience-groupings.ts';
import { tables } from '../tables/schema.ts';
import { checksAndNotes, never } from './regular-views.ts';

const { irregularView, audienceDay } = tables;

/** Of it there is a row for each counted day. */
export const totalGrouping: AudienceGroupingName = 'total';

/** Of a day's last counting. */
const counted = ['countedAt', 'checkedAt', 'epoch', 'marks', 'namedViews'];
const ofLast = counted.map((name, place) => `last.${place + 1} AS counted_${name}`);
const notCounted = `(${never}, ${never}, toUInt32(0), toUInt32(0), toUInt64(0))`;

/** What is known of days: when they were checked, noted and counted, and of what. */
export const statesOf = (condition: string) => `SELECT accountId, day, max(checked) AS checkedAt,
      max(checked) > max(lastNote) AS isChecked, toUInt32(max(marked)) AS marks,
      max(latest) AS last, ${ofLast.join(', ')}
    FROM (
      SELECT *, 0 AS marked, ${notCounted} AS latest FROM (${checksAndNotes(condition)}
      )
      UNION ALL
      SELECT accountId, slot AS day, ${never}, ${never}, uniqExact(${viewNumber}), ${notCounted}
      FROM ${irregularView.name} WHERE ${condition} GROUP BY accountId, day
      UNION ALL
      SELECT accountId, slot AS day, ${never}, ${never}, 0, max((${counted.join(', ')}))
      FROM ${audienceDay.name} WHERE ${condition} AND grouping = '${totalGrouping}'
      GROUP BY accountId, day
    )
    GROUP BY accountId, day`;
export const isCurrent = (epoch: string) => `counted_checkedAt = checkedAt
      AND counted_marks = marks AND counted_epoch = ${epoch}`;

/** The whole UTC days within a range whose counts are current. */
export async function readAudienceDays(
  store: FactStore,
  range: SlotRange,
  verdicts: CurrentVerdicts,
): Promise<AudienceDay[]> {
  const within = slotsOfWholeDays(range);
  if (!within) return [];
  return store.select<AudienceDay>({
    name: 'find counted days',
    sql: `SELECT toUnixTimestamp(day) * 1000 AS day, marks,
      toUnixTimestamp64Milli(counted_countedAt) AS countedAtMs, counted_namedViews AS namedViews
    FROM (${statesOf(within.sql)})
    WHERE isChecked AND ${isCurrent('{epoch:UInt32}')}
    ORDER BY day`,
    parameters: { ...within.parameters, epoch: verdicts.epochs.get(range.accountId) ?? 0 },
  });
}
