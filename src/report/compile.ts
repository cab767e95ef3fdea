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
function localTime(clock: readonly ClockOffset[]): string {
  const first = '{clockOffset0:Int32}';
  if (clock.length === 1) return `slot + ${first}`;
  const since = clock.map((_, at) => `slot >= {clockSince${at}:UInt32}, {clockOffset${at}:Int32}`);
  // The latest that holds is the one.
  return `slot + multiIf(${since.slice(1).toReversed().join(', ')}, ${first})`;
}

const expressions: Record<DimensionName, (plan: Plan) => string> = {
  date: ({ clock }) => `toDate(${localTime(clock)})`,
  hour: ({ clock }) => `formatDateTime(${localTime(clock)}, '%H')`,
  os: () => 'os',
  detail: () => 'osVersion',
};

/** Of a system's identity what a question leaves open. */
const systemKeys: Record<DimensionName, readonly string[]> = {
  date: [],
  hour: [],
  os: ['os', 'osVersion'],
  detail: ['osVersion'],
};

export function compile(plan: Plan): FactQuery {
  const { cover, clock, grouping } = plan;
  const pieces = [
    ...cover.slots.map((span, index) => ({ span, name: `slots${index}`, grouping })),
    ...cover.days.map((span, index) => ({
      span,
      name: `days${index}`,
      grouping: `${grouping}-day`,
    })),
  ];
  const label = expressions[plan.label](plan);
  const sql = `SELECT ${label} AS label, sum(largestPlays) AS plays, sum(largestPlayMs) AS playMs
FROM (
${pieces.map(({ name }) => selectLargest(plan, name)).join('\n  UNION ALL\n')}
)
GROUP BY label`;
  const { accountId, videoId, packageId, os } = plan;
  return {
    sql,
    parameters: {
      accountId,
      ...Object.assign({}, ...clock.map(offsetOf)),
      ...(videoId === undefined ? {} : { videoId }),
      ...(packageId === undefined ? {} : { packageId }),
      ...(os === undefined ? {} : { os }),
      ...Object.assign({}, ...pieces.map(pieceOf)),
    },
  };
}

/** Sums of one grouping over one span; of rows not merged yet the largest holds. */
function selectLargest({ videoId, packageId, os, label }: Plan, piece: string): string {
  // Of the sums' identity only what the conditions leave open.
  const keys = [
    ...(videoId !== undefined && packageId === undefined ? ['packageId'] : []),
    'slot',
    ...systemKeys[label],
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

function offsetOf({ sinceMs, offsetMs }: ClockOffset, index: number) {
  return {
    [`clockSince${index}`]: sinceMs / 1_000,
    [`clockOffset${index}`]: offsetMs / 1_000,
  };
}
