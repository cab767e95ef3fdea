import type { Publication } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import type { Refusal, Sender, Step } from '../draft.ts';

/** Refuses playback from sites that the package does not allow. */
export function refuseOrigin(
  { allowedOrigins }: Publication,
  { origin }: Sender,
): Refusal | undefined {
  // No page of another site, as far as the headers show: a program can leave them out.
  if (origin === undefined || allowedOrigins.length === 0) return undefined;
  if (allowedOrigins.includes(origin)) return undefined;
  return {
    code: 'ORIGIN',
    detail: 'Origin: not one of the allowedOrigins of the package; add it there',
  };
}

export const checkOrigin: Step = {
  name: 'check origin',
  run({ publication }, { sender }) {
    assert(publication, 'the video is known before its origins are checked');
    return refuseOrigin(publication, sender);
  },
};
