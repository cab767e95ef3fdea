import { accept, type Result } from '../../lib/result.ts';
import { canonicalTimeZone } from '../../lib/time/time-zone.ts';
import { type CatalogRefusal, refusedField } from '../refusal.ts';

/** The IANA name as other programs know it; an offset such as +09:00 is refused. */
export function checkTimeZone(name: string): Result<string, CatalogRefusal> {
  const resolved = canonicalTimeZone(name);
  if (resolved === undefined) {
    return refusedField('timeZone', 'must be an IANA time zone such as Asia/Seoul');
  }
  // TRICKY: this resolves aliases too, some to names out of use (Asia/Kathmandu to
  // Asia/Katmandu). An alias is kept as given; only the letters' case is put right.
  const isAlias = resolved.toLowerCase() !== name.toLowerCase();
  return accept(isAlias && /^[A-Z]/.test(name) ? name : resolved);
}
