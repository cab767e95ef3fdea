/**
 * Suspects: groups of playback that was set apart because it is unusual, named
 * `REASON:yyyy-mm-dd:SUBJECT`. The day is that of the arrival, in UTC.
 */
import type { CurrentErasures } from './erasures.ts';

export const suspectReasons = {
  ADDRESS: 'An unusual amount of playback from one IP address',
  VIDEO: 'An unusual amount of playback of one video',
  VIEWER: 'An unusual amount of playback by one viewer, named by signed tokens',
  LENGTH: 'A view lasted far longer than its video, or has more stretches than a player makes',
  ACCOUNT: 'More playback of the account in one day than it stores as usual',
  UNSIGNED: 'The view is not signed',
} as const;
export type SuspectReason = keyof typeof suspectReasons;
export const suspectReasonCodes = Object.keys(suspectReasons) as SuspectReason[];

export interface Suspect {
  readonly reason: SuspectReason;
  /** yyyy-mm-dd */
  readonly day: string;
  /** A number, or 16 hexadecimal digits of a keyed hash. */
  readonly subject: string;
}

/** A suspect of an account. */
export interface SuspectName {
  readonly accountId: number;
  /** Its id. */
  readonly suspect: string;
}

/** What operators have decided about what counts, as of one moment. */
export interface CurrentVerdicts {
  /** The suspects whose playback counts; that of all others does not. */
  readonly accepted: readonly SuspectName[];
  /**
   * By account: its epoch, which rises with every verdict by which an accepted suspect counts no
   * longer, and with every erasure. 0 for accounts that are not in it; less than 2^32.
   */
  readonly epochs: ReadonlyMap<number, number>;
  /** Undefined if nothing was ever erased. */
  readonly erasures?: CurrentErasures | undefined;
}

export function findEpoch({ epochs }: CurrentVerdicts, accountId: number): number {
  return epochs.get(accountId) ?? 0;
}

const form = new RegExp(`^(${suspectReasonCodes.join('|')}):(\\d{4}-\\d\\d-\\d\\d):(\\w{1,32})$`);

export function createSuspectId({ reason, day, subject }: Suspect): string {
  return `${reason}:${day}:${subject}`;
}

/** Undefined for what is no id of a suspect. */
export function readSuspectId(id: string): Suspect | undefined {
  const [, reason, day, subject] = form.exec(id) ?? [];
  if (day === undefined || subject === undefined) return undefined;
  return { reason: reason as SuspectReason, day, subject };
}
