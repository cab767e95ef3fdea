/**
 * The measures of the audience interface (v2), one record each. Parameters, errors, `schema`, the
 * reference and the client's types derive from these. Source: the audience interface, section 3.
 */

interface AudienceMeasure {
  /** Empty: a number of things. */
  readonly unit: '' | 'ms' | '0 to 1';
  /** Whether the rows' sum is always the total. */
  readonly additive: boolean;
  /** Whether it is null where there is nothing to divide by. */
  readonly nullable?: true;
  /**
   * What a view must have reported to be in it. Players that speak CMCD report neither. With
   * `position` the video must have a length as well.
   */
  readonly needs?: 'position' | 'media time';
  readonly example: number;
  readonly definition: string;
}

const furthest = (percent: number) =>
  `Views whose furthest position reached ${percent} % of the length of the video`;

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
  if (needs === undefined) return measure;
  const without = `Playback reported by CMCD is not in it, as its players send no ${needs}`;
  return { ...measure, definition: `${definition}. ${without}` };
}
