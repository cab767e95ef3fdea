/** Facts of a suspect, within the slots that were asked for. */
export interface SuspectSums {
  readonly suspect: string;
  /** Start of its first slot and end of its last, milliseconds since the epoch. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly views: number;
  readonly videos: number;
  /** What it would add to the counts if the account had no other facts. */
  readonly plays: number;
  readonly playMs: number;
}
