/** A number that the catalog has for each video, in SQL over a `videoId`; 0 for all others. */
import { type BoundArray, boundArray } from '../../store/facts.ts';

interface NumberOf {
  /** Begin the parameters. */
  readonly ids: string;
  readonly values: string;
  readonly type: 'UInt32' | 'UInt64';
}

export function valueOfVideo<Video extends { readonly videoId: number }>(
  videos: readonly Video[],
  { ids, values, type }: NumberOf,
  numberOf: (video: Video) => number,
): BoundArray {
  const known = videos.map(({ videoId }) => videoId);
  const [from, to] = [
    boundArray(ids, 'UInt32', known),
    boundArray(values, type, videos.map(numberOf)),
  ];
  return {
    sql: `transform(videoId, ${from.sql}, ${to.sql}, to${type}(0))`,
    parameters: { ...from.parameters, ...to.parameters },
  };
}
