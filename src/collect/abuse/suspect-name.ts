import { createHmac } from 'node:crypto';
import { assert } from '../../lib/assert.ts';
import { utcDayOf } from '../../lib/time/utc-day.ts';
import { type SuspectReason, suspectIdOf } from '../../vocabulary/suspects.ts';
import type { BatchContext, Draft } from '../draft.ts';

const hashDigits = 16;

/**
 * The id of the suspect that a draft belongs to from now on. An address or a viewer appears as a
 * keyed hash, with the account and the day in it, so that it connects neither accounts nor days.
 */
export function nameSuspect(
  secret: string,
  { publication }: Draft,
  { reason, subject }: { readonly reason: SuspectReason; readonly subject: string | number },
  { nowMs }: BatchContext,
): string {
  assert(publication, 'the video is known before its playback is judged');
  const { accountId, videoId } = publication;
  const day = utcDayOf(nowMs);
  if (reason === 'VIDEO' || reason === 'LENGTH') {
    return suspectIdOf({ reason, day, subject: String(videoId) });
  }
  if (reason === 'ACCOUNT') return suspectIdOf({ reason, day, subject: String(accountId) });
  const name = `suspect\n${reason}\n${day}\n${accountId}\n${subject}`;
  const hash = createHmac('sha256', secret).update(name).digest('hex');
  return suspectIdOf({ reason, day, subject: hash.slice(0, hashDigits) });
}
