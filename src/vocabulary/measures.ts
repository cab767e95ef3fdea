/**
 * The measures of the audience interface (v2), one record each. Parameters, errors, `schema`, the
 * reference and the client's types derive from these. Sources: the audience interface, section 3;
 * of those that need waits the quality interface, section 2, after CTA-2066.
 */

interface AudienceMeasure {
  /** In mails. */
  readonly title: string;
  /** Empty: a number of things. */
  readonly unit: '' | 'ms' | '0 to 1' | '1/h' | 'kbit/s';
  /** Whether the rows' sum is always the total. */
  readonly additive: boolean;
  /** Whether it is null where there is nothing to divide by. */
  readonly nullable?: true;
  /**
   * What a view must have reported to be in it; of waits, the first. Players that speak CMCD report
   * no positions, and media time only with a bitrate. With `position` the video must have a length
   * as well.
   */
  readonly needs?: 'position' | 'media time' | 'waits';
  /** Whether it may be asked for by `error`. */
  readonly byError?: true;
  readonly example: number;
  readonly definition: string;
}

const ofWaits = { needs: 'waits' } as const;
const percentile = (percent: number, example: number) =>
  ({
    ...ofWaits,
    unit: 'ms',
    additive: false,
    nullable: true,
    example,
    definition:
      `Percentile ${percent} of the time from the request to play to the first frame, of ` +
      '`starts`: exact, by nearest rank; null without starts',
  }) as const;
const shareOf = (
  part: 'exitsBeforeStart' | 'startFailures' | 'failures' | 'stalledViews',
  whole: 'attempts' | 'views',
  example: number,
) =>
  ({
    ...ofWaits,
    unit: '0 to 1',
    additive: false,
    nullable: true,
    example,
    definition:
      whole === 'attempts'
        ? `\`${part}\` / \`attempts\`; four decimals, rounded half up; null without attempts`
        : `\`${part}\` / the views with a wait or playback in the range; four decimals, rounded ` +
          'half up; null without such views',
  }) as const;

const furthest = (percent: number) =>
  `Views whose furthest position reached ${percent} % of the length of the video`;

export const audienceMeasures = {
  plays: {
    title: 'Plays',
    unit: '',
    additive: true,
    example: 182,
    definition:
      'Plays: views whose playback started, each counted once, at the time it started; as ' +
      '`videoCount`',
  },
  playMs: {
    title: 'Playback time',
    unit: 'ms',
    additive: true,
    example: 7_326_400,
    definition:
      'Playback time in clock time, without pauses, stalls and seeks; as `duration`, not rounded',
  },
  views: {
    title: 'Views',
    unit: '',
    additive: false,
    example: 190,
    definition: 'Distinct views with any playback in the range',
  },
  viewers: {
    title: 'Viewers',
    unit: '',
    additive: false,
    example: 120,
    definition:
      'Distinct viewers of these views, over the whole range; a view without a viewer is one of ' +
      'its own',
  },
  averagePlayMs: {
    title: 'Average time',
    unit: 'ms',
    additive: false,
    nullable: true,
    example: 40_255,
    definition: '`playMs` / `plays`, rounded half up; null without plays',
  },
  mediaMs: {
    title: 'Length played',
    unit: 'ms',
    additive: true,
    needs: 'media time',
    example: 7_420_000,
    definition: 'How far the media advanced: at double speed twice the playback time',
  },
  positionedViews: {
    title: 'Views with a position',
    unit: '',
    additive: false,
    needs: 'position',
    example: 182,
    definition:
      'Views that reported a position, of videos with a length: those that the following ' +
      'measures are made of, and in every row beside one of these, asked for or not',
  },
  seenMs: {
    title: 'Length seen',
    unit: 'ms',
    additive: false,
    needs: 'position',
    example: 6_950_000,
    definition:
      'What each view saw of the media, every moment of the video once, summed over the views',
  },
  averageSeen: {
    title: 'Share seen',
    unit: '0 to 1',
    additive: false,
    nullable: true,
    needs: 'position',
    example: 0.4312,
    definition:
      '`seenMs` / the length of the video, summed over the views that reported a position; four ' +
      'decimals, rounded half up; null where no view did',
  },
  completions: {
    title: 'Completions',
    unit: '',
    additive: false,
    needs: 'position',
    example: 61,
    definition: 'Views that saw at least 95 % of the length of the video',
  },
  reached25: {
    title: 'Reached 25%',
    unit: '',
    additive: false,
    needs: 'position',
    example: 140,
    definition: furthest(25),
  },
  reached50: {
    title: 'Reached 50%',
    unit: '',
    additive: false,
    needs: 'position',
    example: 104,
    definition: furthest(50),
  },
  reached75: {
    title: 'Reached 75%',
    unit: '',
    additive: false,
    needs: 'position',
    example: 80,
    definition: furthest(75),
  },
  reached100: {
    title: 'Reached the end',
    unit: '',
    additive: false,
    needs: 'position',
    example: 58,
    definition: 'Views whose furthest position came within one second of the end of the video',
  },
  attempts: {
    title: 'Attempts to play',
    ...ofWaits,
    unit: '',
    additive: true,
    byError: true,
    example: 190,
    definition:
      'Attempts to start playback: the first wait of each view began in the range, however it ' +
      'ended, also if it goes on',
  },
  starts: {
    title: 'Starts',
    ...ofWaits,
    unit: '',
    additive: true,
    byError: true,
    example: 180,
    definition: 'Attempts that led to a first frame',
  },
  exitsBeforeStart: {
    title: 'Exits before start',
    ...ofWaits,
    unit: '',
    additive: true,
    byError: true,
    example: 6,
    definition:
      'Attempts that the viewer gave up before the first frame; a wait of which nothing was heard ' +
      'for 24 hours counts as given up',
  },
  exitShare: {
    title: 'Exits before start (%)',
    ...shareOf('exitsBeforeStart', 'attempts', 0.0316),
  },
  startFailures: {
    title: 'Start failures',
    ...ofWaits,
    unit: '',
    additive: true,
    byError: true,
    example: 4,
    definition: 'Attempts that a fatal error ended before the first frame',
  },
  startFailureShare: {
    title: 'Failed to start',
    ...shareOf('startFailures', 'attempts', 0.0211),
  },
  failures: {
    title: 'Failures',
    ...ofWaits,
    unit: '',
    additive: false,
    byError: true,
    example: 5,
    definition: 'Distinct views that a fatal error ended, before the first frame or later',
  },
  failureShare: { title: 'Ended in an error', ...shareOf('failures', 'views', 0.0263) },
  startupMs: {
    title: 'Average start',
    ...ofWaits,
    unit: 'ms',
    additive: false,
    nullable: true,
    example: 1_240,
    definition:
      'Mean time from the request to play to the first frame, of `starts`; rounded half up; null ' +
      'without starts',
  },
  startupP50: { title: 'Typical start (p50)', ...percentile(50, 980) },
  startupP75: { title: 'Start (p75)', ...percentile(75, 1_510) },
  startupP95: { title: 'Slow start (p95)', ...percentile(95, 3_870) },
  startupP99: { title: 'Slowest start (p99)', ...percentile(99, 7_430) },
  stalls: {
    title: 'Stalls',
    ...ofWaits,
    unit: '',
    additive: true,
    byError: true,
    example: 57,
    definition: 'Times that playback stopped because the media ran dry, seeks left out',
  },
  stallsPerHour: {
    title: 'Stalls an hour',
    ...ofWaits,
    unit: '1/h',
    additive: false,
    nullable: true,
    example: 1.8042,
    definition:
      '`stalls` per hour of playback time; four decimals, rounded half up; null without playback ' +
      'time',
  },
  stalledViews: {
    title: 'Stalled views',
    ...ofWaits,
    unit: '',
    additive: false,
    example: 31,
    definition: 'Distinct views with a stall in the range',
  },
  stalledShare: {
    title: 'Stalled views (%)',
    ...shareOf('stalledViews', 'views', 0.1632),
  },
  stallMs: {
    title: 'Time in stalls',
    ...ofWaits,
    unit: 'ms',
    additive: true,
    example: 84_300,
    definition: 'How long all stalls lasted',
  },
  stalledTimeShare: {
    title: 'Time stood still',
    ...ofWaits,
    unit: '0 to 1',
    additive: false,
    nullable: true,
    example: 0.0113,
    definition:
      '`stallMs` / the playback time and all waits to start, for a seek or in a stall; four ' +
      'decimals, rounded half up; null where there is neither',
  },
  seekMs: {
    title: 'Wait after a jump',
    ...ofWaits,
    unit: 'ms',
    additive: false,
    nullable: true,
    example: 420,
    definition: 'Mean wait after a seek; rounded half up; null without seeks',
  },
  bitrate: {
    title: 'Bitrate',
    ...ofWaits,
    unit: 'kbit/s',
    additive: false,
    nullable: true,
    example: 2_850,
    definition:
      'Bits of the media that was played / how far the media advanced, of stretches that reported ' +
      'bits; rounded half up; null where none did',
  },
  droppedShare: {
    title: 'Dropped frames',
    ...ofWaits,
    unit: '0 to 1',
    additive: false,
    nullable: true,
    example: 0.0021,
    definition:
      'Frames dropped / all frames; four decimals, rounded half up; null where no frames were ' +
      'reported',
  },
} as const satisfies Record<string, AudienceMeasure>;
export type AudienceMeasureName = keyof typeof audienceMeasures;

/** A share of fewer views says nothing of others: it is not written for people. */
export const leastViewsOfShare = 5;

/** What rows have: the measures asked for, and the views on which those of positions rest. */
export function measuresOfRows(
  asked: readonly AudienceMeasureName[],
): readonly AudienceMeasureName[] {
  const isOfPositions = asked.some((name) => audienceMeasure(name).needs === 'position');
  return isOfPositions ? [...new Set([...asked, 'positionedViews' as const])] : asked;
}

/** Whether a measure is of quality, so that answers say on how many views it rests. */
export const isOfQuality = (name: AudienceMeasureName): boolean =>
  audienceMeasure(name).needs === 'waits';

/** Whether its values are no whole numbers. */
export function isFractional(name: AudienceMeasureName): boolean {
  const { unit } = audienceMeasure(name);
  return unit === '0 to 1' || unit === '1/h';
}

export const audienceMeasureNames = Object.keys(audienceMeasures) as AudienceMeasureName[];

export function audienceMeasure(name: AudienceMeasureName): AudienceMeasure {
  const measure: AudienceMeasure = audienceMeasures[name];
  const { needs, definition } = measure;
  if (needs === undefined) return measure;
  if (needs === 'waits') {
    return { ...measure, definition: `${definition}. Only views that report waits are in it` };
  }
  const ofCmcd = {
    position: 'is not in it, as its players send no position',
    'media time': 'is in it only where its player told a bitrate',
  }[needs];
  return { ...measure, definition: `${definition}. Playback reported by CMCD ${ofCmcd}` };
}
