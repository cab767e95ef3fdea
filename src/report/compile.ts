/** A plan becomes one SELECT with every value bound. */
import type { FactQuery } from '../facts/facts.ts';
import type { ClockOffset } from '../lib/time-zone.ts';
import type { DimensionName } from '../wire/statistics.ts';
import type { Plan } from './plan.ts';

/**
 * The clock on the wall at the beginning of a slot. TRICKY: not toDate(slot, zone): the engine's
 * rules of zones are of another year than those by which the range was reckoned, and a play would
 * fall between the two (Africa/Casablanca and Europe/Chisinau did).
 */
const localTime = `slot + toIntervalSecond(
  {clockOffsets:Array(Int32)}[arrayLastIndex(since -> since <= slot, {clockSince:Array(UInt32)})])`;

const expressions: Record<DimensionName, string> = {
  date: `toString(toDate(${localTime}))`,
  hour: `leftPad(toString(toHour(${localTime})), 2, '0')`,
  os: 'os',
  detail: 'osVersion',
};

export function compile(plan: Plan): FactQuery {
  const conditions = [
    'accountId = {accountId:UInt32}',
    'grouping = {grouping:String}',
    ...(plan.videoId === undefined ? [] : ['videoId = {videoId:UInt32}']),
    ...(plan.packageId === undefined ? [] : ['packageId = {packageId:UInt32}']),
    'slot >= {from:UInt32}',
    'slot < {until:UInt32}',
    ...(plan.os === undefined ? [] : ['os = {os:String}']),
  ];
  const labels = plan.labels.map((label) => `${expressions[label]} AS label_${label}`);
  const groups = plan.labels.map((label) => `label_${label}`);
  const sql = `SELECT ${labels.join(', ')}, sum(largestPlays) AS plays, sum(largestPlayMs) AS playMs
FROM (
  SELECT slot, os, osVersion, max(plays) AS largestPlays, max(playMs) AS largestPlayMs
  FROM playback
  WHERE ${conditions.join(' AND ')}
  GROUP BY videoId, packageId, slot, os, osVersion
)
GROUP BY ${groups.join(', ')}`;
  return { sql, parameters: parametersOf(plan) };
}

function parametersOf(plan: Plan): FactQuery['parameters'] {
  const { accountId, grouping, clock, labels, videoId, packageId, os } = plan;
  const byTime = labels.some((label) => label === 'date' || label === 'hour');
  return {
    accountId,
    grouping,
    ...(byTime ? clockOf(clock) : {}),
    from: plan.fromMs / 1_000,
    until: plan.untilMs / 1_000,
    ...(videoId === undefined ? {} : { videoId }),
    ...(packageId === undefined ? {} : { packageId }),
    ...(os === undefined ? {} : { os }),
  };
}

function clockOf(clock: readonly ClockOffset[]) {
  return {
    clockSince: clock.map(({ sinceMs }) => sinceMs / 1_000),
    clockOffsets: clock.map(({ offsetMs }) => offsetMs / 1_000),
  };
}
