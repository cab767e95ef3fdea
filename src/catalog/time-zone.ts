import { canonicalTimeZone } from '../lib/time-zone.ts';
import { Fault } from '../wire/faults.ts';

/** The IANA name as other programs know it; refuses what is none, such as an offset. */
export function timeZoneNamed(name: string): string {
  const resolved = canonicalTimeZone(name);
  if (resolved === undefined) {
    const detail = 'must be an IANA time zone such as Asia/Seoul';
    throw new Fault('INVALID_PARAMETER', `timeZone ${detail}`, {
      errors: [{ parameter: 'timeZone', detail }],
    });
  }
  // TRICKY: this resolves aliases too, some to names out of use (Asia/Kathmandu to
  // Asia/Katmandu). An alias is kept as given; only the letters' case is put right.
  const isAlias = resolved.toLowerCase() !== name.toLowerCase();
  return isAlias && /^[A-Z]/.test(name) ? name : resolved;
}
