/** Something that happened, at a point of a chart or from one to another. */
export interface ChartMark {
  readonly key: string;
  readonly index: number;
  readonly lastIndex: number;
  readonly text: string;
}

/** What is said at a point. */
export function textsAt(marks: readonly ChartMark[], at: number | undefined): string[] {
  if (at === undefined) return [];
  return marks
    .filter(({ index, lastIndex }) => index <= at && at <= lastIndex)
    .map(({ text }) => text);
}
