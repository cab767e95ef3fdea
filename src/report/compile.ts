/** A plan becomes one SELECT with every value bound. */
import type { FactQuery } from '../facts/facts.ts';
import type { ClockOffset } from '../lib/time-zone.ts';
import type { DimensionName } from '../wire/statistics.ts';
import type { Span } from './cover-range.ts';
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
  const { cover, clock, grouping } = plan;
  const labels = plan.labels.map((label) => `${expressions[label]} AS label_${label}`);
  const groups = plan.labels.map((label) => `label_${label}`);
  const pieces = [
    ...cover.slots.map((span, index) => ({ span, name: `slots${index}`, grouping })),
    ...cover.days.map((span, index) => ({
      span,
      name: `days${index}`,
      grouping: `${grouping}-day`,
    })),
  ];
  const sql = `SELECT ${labels.join(', ')}, sum(largestPlays) AS plays, sum(largestPlayMs) AS playMs
FROM (
${pieces.map(({ name }) => selectLargest(plan, name)).join('\n  UNION ALL\n')}
)
GROUP BY ${groups.join(', ')}`;
  const { accountId, videoId, packageId, os } = plan;
  return {
    sql,
    parameters: {
      accountId,
      ...(clock.length > 0 ? clockOf(clock) : {}),
      ...(videoId === undefined ? {} : { videoId }),
      ...(packageId === undefined ? {} : { packageId }),
      ...(os === undefined ? {} : { os }),
      ...Object.assign({}, ...pieces.map(pieceOf)),
    },
  };
}

/** Sums of one grouping over one span; of rows not merged yet the largest holds. */
function selectLargest({ videoId, packageId, os, labels }: Plan, piece: string): string {
  // Of the sums' identity only what the conditions leave open.
  const keys = [
    ...(videoId !== undefined && packageId === undefined ? ['packageId'] : []),
    'slot',
    ...(labels.includes('os') ? ['os', 'osVersion'] : []),
  ];
  const conditions = [
    'accountId = {accountId:UInt32}',
    `grouping = {${piece}Grouping:String}`,
    // A grouping that tells no videos apart has 0 there: said, it lets the index reach further.
    `videoId = ${videoId === undefined ? 0 : '{videoId:UInt32}'}`,
    ...(packageId === undefined && videoId !== undefined
      ? []
      : [`packageId = ${packageId === undefined ? 0 : '{packageId:UInt32}'}`]),
    `slot >= {${piece}From:UInt32}`,
    `slot < {${piece}Until:UInt32}`,
    ...(os === undefined ? [] : ['os = {os:String}']),
  ];
  return `  SELECT ${keys.join(', ')}, max(plays) AS largestPlays, max(playMs) AS largestPlayMs
  FROM playback
  WHERE ${conditions.join(' AND ')}
  GROUP BY ${keys.join(', ')}`;
}

function pieceOf({ name, span, grouping }: { name: string; span: Span; grouping: string }) {
  return {
    [`${name}Grouping`]: grouping,
    [`${name}From`]: span.fromMs / 1_000,
    [`${name}Until`]: span.untilMs / 1_000,
  };
}

function clockOf(clock: readonly ClockOffset[]) {
  return {
    clockSince: clock.map(({ sinceMs }) => sinceMs / 1_000),
    clockOffsets: clock.map(({ offsetMs }) => offsetMs / 1_000),
  };
}
