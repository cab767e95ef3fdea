import type { Rule } from '../../catalog/catalog.ts';
import { readQuery } from '../../query/parse/query-parser.ts';
import type { QueryService } from '../../query/query-service.ts';
import type { ReportTerms } from '../../wire/management/reports.ts';
import type { MeasureValues, QueryTotals } from '../../wire/questions/audience-messages.ts';
import type { DuePeriod, ReportedDays } from './due-period.ts';
import type { Asker } from './figures.ts';
import { type Message, type ReportData, reportMessage } from './messages.ts';

interface Wanted {
  readonly rule: Rule;
  readonly terms: ReportTerms;
  readonly period: DuePeriod;
  readonly asker: Asker;
  readonly nowMs: number;
}

/** The totals of a period and of the one before, and the largest rows. */
export async function makeReport(
  { rule, terms, period, asker, nowMs }: Wanted,
  queryService: Pick<QueryService, 'askWhole'>,
): Promise<Message<ReportData>> {
  const { measures, dimension, filters, top } = terms;
  const ask = ({ sdate, edate }: ReportedDays, dimensions: string | null) => {
    const parameters = {
      ...{ sdate, edate, measures: measures.join(',') },
      ...(dimensions === null ? {} : { dimensions }),
      ...(filters === null ? {} : { filters }),
    };
    return queryService.askWhole(readQuery(parameters, asker));
  };
  const own = await ask(period, dimension);
  const before = await ask(period.previous, null);
  return reportMessage({ rule, timeZone: asker.timeZone, nowMs }, terms, {
    ...{ period, totals: valuesOf(own.totals), before: valuesOf(before.totals) },
    viewerBasis: own.viewerBasis,
    list: dimension === null ? [] : own.rows.slice(0, top),
  });
}

/** Without a comparison there are only measures. */
function valuesOf(totals: QueryTotals): MeasureValues {
  return totals as MeasureValues;
}
