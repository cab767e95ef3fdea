import { readFilters } from '../../query/parse/filter-parser.ts';
import { type AudienceMeasureName, audienceMeasure } from '../../vocabulary/measures.ts';
import type { AlertData, ReportData } from '../evaluation/messages.ts';
import { localText } from './mail-values.ts';

/** The page of the dashboard that shows what a message is about: what it reports, or its rule. */
export function dashboardPath(accountId: number, data: AlertData | ReportData): string {
  const { path, ...search } = 'reportId' in data ? pageOfReport(data) : pageOfAlert(data);
  return `${path}?${new URLSearchParams({ account: String(accountId), ...search })}`;
}

function pageOfReport({ sdate: from, edate: to, terms: { measures, filters } }: ReportData) {
  const [measure = 'plays'] = measures;
  const isOfQuality = audienceMeasure(measure as AudienceMeasureName).needs === 'waits';
  return {
    ...{ path: isOfQuality ? '/quality' : '/', period: 'custom', from, to, measure },
    ...(filters !== null && { filters }),
  };
}

function pageOfAlert({ from, to, timeZone, terms }: AlertData) {
  const video = onlyVideo(terms.filters);
  if (video === undefined) return { path: '/settings/alerts' };
  const dayOf = (atMs: number) => localText(new Date(atMs).toISOString(), timeZone).slice(0, 10);
  return {
    ...{ path: `/videos/${encodeURIComponent(video)}`, period: 'custom' },
    // The end is no longer in it.
    ...{ from: dayOf(Date.parse(from)), to: dayOf(Date.parse(to) - 1) },
  };
}

/** The video that a rule is on, and on nothing else. */
function onlyVideo(filters: string | null): string | undefined {
  const read = readFilters(filters ?? '', new Map());
  const [only, ...others] = read.ok ? read.value : [];
  const isOne = only?.dimension === 'video' && only.operator === '==' && only.values.length === 1;
  return isOne && !only.isOfCaption && others.length === 0 ? only.values[0] : undefined;
}
