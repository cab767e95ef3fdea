/**
 * The measures of the audience interface (v2), one record each. Parameters, errors, `schema`, the
 * reference and the client's types derive from these. Source: the audience interface, section 3.
 */

interface AudienceMeasure {
  /** Empty: a number of things. */
  readonly unit: '' | 'ms' | '0 to 1' | '1/h' | 'kbit/s';
  /** Whether the rows' sum is always the total. */
  readonly additive: boolean;
  /** Whether it is null where there is nothing to divide by. */
  readonly nullable?: true;
  /**
   * What a view must have reported to be in it. Players that speak CMCD report neither. With
   * `position` the video must have a length as well. What needs `waits` is of views that reported
   * their start.
   */
  readonly needs?: 'position' | 'media time' | 'waits' | 'bits' | 'frames';
  readonly example: number;
  readonly definition: string;
}

const furthest = (percent: number) =>
  `Views whose furthest position reached ${percent} % of the length of the video`;

function startupPercentile(percent: number, example: number) {
  return {
    unit: 'ms',
    additive: false,
    nullable: true,
    needs: 'waits',
    example,
    definition: `Within so long ${percent} % of \`starts\` had their first frame; exact, by nearest rank`,
  } as const;
}

export const audienceMeasures = {
  plays: {
    unit: '',
    additive: true,
    example: 182,
    definition:
      'Plays: views whose playback started, each counted once, at the time it started; as ' +
      '`videoCount`',
  },
  playMs: {
    unit: 'ms',
    additive: true,
    example: 7_326_400,
    definition:
      'Playback time in clock time, without pauses, stalls and seeks; as `duration`, not rounded',
  },
  views: {
    unit: '',
    additive: false,
    example: 190,
    definition: 'Distinct views with any playback in the range',
  },
  viewers: {
    unit: '',
    additive: false,
    example: 120,
    definition:
      'Distinct viewers of these views, over the whole range; a view without a viewer is one of ' +
      'its own',
  },
  averagePlayMs: {
    unit: 'ms',
    additive: false,
    nullable: true,
    example: 40_255,
    definition: '`playMs` / `plays`, rounded half up; null without plays',
  },
  mediaMs: {
    unit: 'ms',
    additive: true,
    needs: 'media time',
    example: 7_420_000,
    definition: 'How far the media advanced: at double speed twice the playback time',
  },
  positionedViews: {
    unit: '',
    additive: false,
    needs: 'position',
    example: 182,
    definition:
      'Views that reported a position, of videos with a length: those that the following ' +
      'measures are made of, and in every row beside one of these, asked for or not',
  },
  seenMs: {
    unit: 'ms',
    additive: false,
    needs: 'position',
    example: 6_950_000,
    definition:
      'What each view saw of the media, every moment of the video once, summed over the views',
  },
  averageSeen: {
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
    unit: '',
    additive: false,
    needs: 'position',
    example: 61,
    definition: 'Views that saw at least 95 % of the length of the video',
  },
  reached25: {
    unit: '',
    additive: false,
    needs: 'position',
    example: 140,
    definition: furthest(25),
  },
  reached50: {
    unit: '',
    additive: false,
    needs: 'position',
    example: 104,
    definition: furthest(50),
  },
  reached75: {
    unit: '',
    additive: false,
    needs: 'position',
    example: 80,
    definition: furthest(75),
  },
  reached100: {
    unit: '',
    additive: false,
    needs: 'position',
    example: 58,
    definition: 'Views whose furthest position came within one second of the end of the video',
  },
  attempts: {
    unit: '',
    additive: true,
    needs: 'waits',
    example: 200,
    definition:
      'Attempts to play: views whose start began in the range; a signed view that a page loads ' +
      'again has one of each load',
  },
  starts: {
    unit: '',
    additive: true,
    needs: 'waits',
    example: 190,
    definition: 'Attempts that led to a first frame',
  },
  exitsBeforeStart: {
    unit: '',
    additive: true,
    needs: 'waits',
    example: 6,
    definition: 'Attempts that the viewer left before the first frame',
  },
  exitShare: {
    unit: '0 to 1',
    additive: false,
    nullable: true,
    needs: 'waits',
    example: 0.03,
    definition: '`exitsBeforeStart` / `attempts`',
  },
  startFailures: {
    unit: '',
    additive: true,
    needs: 'waits',
    example: 4,
    definition: 'Attempts that a fatal error ended before the first frame',
  },
  startFailureShare: {
    unit: '0 to 1',
    additive: false,
    nullable: true,
    needs: 'waits',
    example: 0.02,
    definition: '`startFailures` / `attempts`',
  },
  failures: {
    unit: '',
    additive: false,
    needs: 'waits',
    example: 5,
    definition: 'Views with a fatal error in the range, before the first frame or later',
  },
  failureShare: {
    unit: '0 to 1',
    additive: false,
    nullable: true,
    needs: 'waits',
    example: 0.025,
    definition: '`failures` / views with a wait or playback in the range',
  },
  startupMs: {
    unit: 'ms',
    additive: false,
    nullable: true,
    needs: 'waits',
    example: 840,
    definition: 'Mean time from the request to play to the first frame, of `starts`',
  },
  startupP50: startupPercentile(50, 610),
  startupP75: startupPercentile(75, 930),
  startupP95: startupPercentile(95, 2_400),
  startupP99: startupPercentile(99, 5_100),
  stalls: {
    unit: '',
    additive: true,
    needs: 'waits',
    example: 33,
    definition: 'How often the media ran dry while it should have played',
  },
  stallsPerHour: {
    unit: '1/h',
    additive: false,
    nullable: true,
    needs: 'waits',
    example: 0.42,
    definition: '`stalls` / hours of playback time; four decimals',
  },
  stalledViews: {
    unit: '',
    additive: false,
    needs: 'waits',
    example: 21,
    definition: 'Views with a stall in the range',
  },
  stalledShare: {
    unit: '0 to 1',
    additive: false,
    nullable: true,
    needs: 'waits',
    example: 0.105,
    definition: '`stalledViews` / views with a wait or playback in the range',
  },
  stallMs: {
    unit: 'ms',
    additive: true,
    needs: 'waits',
    example: 61_000,
    definition: 'Time that viewers waited in stalls',
  },
  stalledTimeShare: {
    unit: '0 to 1',
    additive: false,
    nullable: true,
    needs: 'waits',
    example: 0.008,
    definition: '`stallMs` / watched time: playback, and waits for the start, in stalls and seeks',
  },
  seekMs: {
    unit: 'ms',
    additive: false,
    nullable: true,
    needs: 'waits',
    example: 380,
    definition: 'Mean time that viewers waited after they jumped',
  },
  bitrate: {
    unit: 'kbit/s',
    additive: false,
    nullable: true,
    needs: 'bits',
    example: 3_200,
    definition: 'Bits of the media played / media time, of stretches that reported bits',
  },
  droppedShare: {
    unit: '0 to 1',
    additive: false,
    nullable: true,
    needs: 'frames',
    example: 0.002,
    definition: 'Frames that were not shown / all frames',
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

export const audienceMeasureNames = Object.keys(audienceMeasures) as AudienceMeasureName[];

export function audienceMeasure(name: AudienceMeasureName): AudienceMeasure {
  const measure: AudienceMeasure = audienceMeasures[name];
  const { needs, definition } = measure;
  return needs === undefined
    ? measure
    : { ...measure, definition: `${definition}. ${without[needs]}` };
}

const withoutCmcd = (needs: string) =>
  `Playback reported by CMCD is not in it, as its players send no ${needs}`;

/** What is in no measure that needs something. */
const without: Readonly<Record<NonNullable<AudienceMeasure['needs']>, string>> = {
  position: withoutCmcd('position'),
  'media time': withoutCmcd('media time'),
  waits: 'Of views that reported their start; others are not in it',
  bits: 'Other stretches are not in it',
  frames: 'Stretches that reported none are not in it',
};

const ofQuality: readonly AudienceMeasure['needs'][] = ['waits', 'bits', 'frames'];

/** Whether it says how well something played: then an answer says on how many views it rests. */
export function isOfQuality(name: AudienceMeasureName): boolean {
  return ofQuality.includes(audienceMeasure(name).needs);
}
