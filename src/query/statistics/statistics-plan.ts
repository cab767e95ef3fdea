/** Plans a question: which sums answer it at the lowest cost, and between which instants. */
import type { Catalog } from '../../catalog/catalog.ts';
import type { ClockOffset } from '../../lib/time/time-zone.ts';
import {
  attributeColumns,
  type FactReader,
  type GroupingName,
  type KeyColumn,
  smallestGrouping,
} from '../../store/facts.ts';
import {
  type AttributeDimension,
  type DimensionName,
  isTime,
  statistics,
} from '../../vocabulary/statistics.ts';
import type { Question } from '../parse/question.ts';
import { clockOf, joined, localSpans } from '../ranges/local-days.ts';
import { type Cover, coverAll } from '../ranges/range-cover.ts';

/** Required values of the sums' columns. */
type Filters = { readonly [column in KeyColumn]?: number | string };

export interface Plan {
  readonly accountId: number;
  readonly grouping: GroupingName;
  readonly filters: Filters;
  /** The range, in whole slots and, for questions without an hour, whole days. */
  readonly cover: Cover;
  /** The zone's offsets over the range, so that the store needs no time zone rules. */
  readonly clock: readonly ClockOffset[];
  /** The label that distinguishes the rows. */
  readonly label: DimensionName;
}

interface Sources {
  readonly publications: Pick<Catalog['publications'], 'findVideoId'>;
  readonly facts: Pick<FactReader, 'unsettledDays'>;
}

/** Undefined if there is nothing to read: no such video, or a range without time. */
export async function plan(question: Question, sources: Sources): Promise<Plan | undefined> {
  const { accountId, firstDay, lastDay, timeZone } = question;
  const filters = await filtersOf(question, sources);
  const spans = localSpans(firstDay, lastDay, timeZone);
  if (filters === undefined || spans.length === 0) return undefined;
  const { ownLabel: label } = statistics[question.statistic];
  const filtered = Object.keys(filters) as KeyColumn[];
  const about = { accountId, filters, label };
  if (isTime(label)) {
    const clock = clockOf(spans);
    const grouping = smallestGrouping(filtered);
    return { ...about, grouping, clock, cover: { days: [], slots: joined(spans) } };
  }
  const grouping = smallestGrouping([...filtered, attributeColumns[label]]);
  const cover = coverAll(joined(spans), await sources.facts.unsettledDays(accountId));
  return { ...about, grouping, clock: [], cover };
}

const largestId = 2 ** 32 - 1;

async function filtersOf(
  { accountId, accessKey, packageId, given }: Question,
  { publications }: Sources,
): Promise<Filters | undefined> {
  const filters: { -readonly [column in KeyColumn]?: number | string } = {};
  if (accessKey !== undefined) {
    const videoId = await publications.findVideoId(accountId, accessKey);
    if (videoId === undefined) return undefined;
    filters.videoId = videoId;
  }
  if (packageId !== undefined) {
    if (packageId > largestId) return undefined;
    filters.packageId = packageId;
  }
  for (const name of Object.keys(attributeColumns) as AttributeDimension[]) {
    const value = given[name];
    if (value !== undefined) filters[attributeColumns[name]] = value;
  }
  return filters;
}
