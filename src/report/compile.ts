/** A plan becomes one SELECT with every value bound. */
import type { FactQuery } from '../facts/facts.ts';
import type { DimensionName } from '../wire/statistics.ts';
import type { Plan } from './plan.ts';

/** Where each label comes from. The zone's rules are the engine's own. */
const expressions: Record<DimensionName, string> = {
  date: 'toString(toDate(slot, {timeZone:String}))',
  hour: "leftPad(toString(toHour(slot, {timeZone:String})), 2, '0')",
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
  const { accountId, grouping, timeZone, videoId, packageId, os } = plan;
  return {
    accountId,
    grouping,
    timeZone,
    from: plan.fromMs / 1_000,
    until: plan.untilMs / 1_000,
    ...(videoId === undefined ? {} : { videoId }),
    ...(packageId === undefined ? {} : { packageId }),
    ...(os === undefined ? {} : { os }),
  };
}
