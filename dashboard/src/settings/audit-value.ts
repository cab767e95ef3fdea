import { type Formats, nothing } from '../formats.ts';
import type { useReader } from '../language.tsx';
import { roles } from '../roles.ts';

interface Writing {
  readonly t: ReturnType<typeof useReader>['t'];
  readonly formats: Formats;
  readonly timeZone: string;
}

/** A value of the audit as people write it, by the unit at the end of its member's name. */
export function writeValue(name: string, value: unknown, writing: Writing): string {
  const { t, formats, timeZone } = writing;
  if (value === null || value === undefined || value === '') return nothing;
  if (Array.isArray(value)) {
    return value.map((one) => writeValue(name, one, writing)).join(', ') || nothing;
  }
  if (typeof value === 'boolean' || name === 'serviceAble') {
    return t(value === true || value === 'Y' ? 'member.yes' : 'member.no');
  }
  const role = name === 'role' && roles.find((one) => one === value);
  if (role) return t(`role.${role}`);
  if (name.endsWith('At') && typeof value === 'string') return formats.instant(value, timeZone);
  if (name.endsWith('AtMs') && typeof value === 'number') {
    return formats.instant(new Date(value).toISOString(), timeZone);
  }
  if (name.endsWith('Ms') && typeof value === 'number') return formats.duration(value);
  if (name.endsWith('Bytes') && typeof value === 'number') return formats.bytes(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
