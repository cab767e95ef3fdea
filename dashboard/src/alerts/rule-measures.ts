/** The measures of alerts and reports, and the unit in which a form asks for their limits. */
import type { AlertFields } from '../../../client/src/index.ts';
import type { MessageName } from '../language.tsx';
import type { Unit } from '../measures.ts';

export type RuleMeasure = NonNullable<AlertFields['measure']>;

export const unitOf: Readonly<Record<RuleMeasure, Unit>> = {
  plays: 'count',
  playMs: 'duration',
  views: 'count',
  viewers: 'count',
  averagePlayMs: 'duration',
  mediaMs: 'duration',
  positionedViews: 'count',
  seenMs: 'duration',
  averageSeen: 'share',
  completions: 'count',
  reached25: 'count',
  reached50: 'count',
  reached75: 'count',
  reached100: 'count',
  attempts: 'count',
  starts: 'count',
  exitsBeforeStart: 'count',
  exitShare: 'share',
  startFailures: 'count',
  startFailureShare: 'share',
  failures: 'count',
  failureShare: 'share',
  // Waits are short: their names say that they are in milliseconds.
  startupMs: 'count',
  startupP50: 'count',
  startupP75: 'count',
  startupP95: 'count',
  startupP99: 'count',
  stalls: 'count',
  stallsPerHour: 'count',
  stalledViews: 'count',
  stalledShare: 'share',
  stallMs: 'duration',
  stalledTimeShare: 'share',
  seekMs: 'count',
  bitrate: 'count',
  droppedShare: 'share',
};
export const ruleMeasures = Object.keys(unitOf) as RuleMeasure[];

/** Nobody thinks of a limit in milliseconds, or of a share from 0 to 1. */
export const askedIn: Readonly<
  Record<Unit, { readonly size: number; readonly name?: MessageName }>
> = {
  count: { size: 1 },
  duration: { size: 60_000, name: 'alerts.unit.minutes' },
  share: { size: 0.01, name: 'alerts.unit.percent' },
};
