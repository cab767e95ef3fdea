import {
  audienceDimension,
  type RecordedDimension,
  recordedDimensions,
} from '../../vocabulary/dimensions.ts';

/** Dimensions of content, by the member of a row that has what people call them. */
export const dimensionOfCaption: ReadonlyMap<string, RecordedDimension> = new Map(
  recordedDimensions.flatMap((name): [string, RecordedDimension][] => {
    const { caption } = audienceDimension(name);
    return caption === undefined ? [] : [[caption, name]];
  }),
);
