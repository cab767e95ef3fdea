/**
 * What a share answers: its own view, whatever is requested. The share's days, zone, video and
 * package replace those in the request, its filters are added to those in the request, and the only
 * comparison is its own, if it has one.
 */
import type { Share, ShareScope } from '../../catalog/catalog.ts';
import { localDate } from '../../lib/time/time-zone.ts';
import { dayMs, toUtcDay } from '../../lib/time/utc-day.ts';

export type Parameters = Readonly<Record<string, string | string[]>>;

/** The days of a share at an instant: those that end today, or the fixed ones. */
export function findDays({ period, timeZone }: Pick<Share, 'period' | 'timeZone'>, nowMs: number) {
  if ('from' in period) return { sdate: period.from, edate: period.to };
  const edate = localDate(timeZone, nowMs);
  return { sdate: toUtcDay(Date.parse(edate) - (period.lastDays - 1) * dayMs), edate };
}

/** The parameters of a question, within a share. */
export function pinned(asked: Parameters, share: ShareScope, nowMs: number): Parameters {
  const { compare, accessKey, packageId, timeZone } = share;
  const { compare: comparison, ...others } = asked;
  return {
    ...others,
    ...withFilters(asked.filters, share.filters),
    ...(comparison === compare && compare !== 'none' ? { compare } : {}),
    ...(accessKey === undefined ? {} : { accessKey }),
    ...(packageId === undefined ? {} : { packageId: String(packageId) }),
    ...findDays(share, nowMs),
    timeZone,
  };
}

/**
 * The share's filters come first: they were parsed when the share was made, so no backslash at
 * their end escapes the `;`. A parameter given twice is left to the reader, which refuses it.
 */
function withFilters(asked: string | string[] | undefined, own: string): Parameters {
  if (Array.isArray(asked)) return { filters: asked };
  const both = [own, asked ?? ''].filter((text) => text !== '');
  return both.length === 0 ? {} : { filters: both.join(';') };
}
