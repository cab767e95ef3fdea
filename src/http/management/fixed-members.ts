/** PUT accepts what GET returned: read-only members are compared, then dropped. */
import { isDeepStrictEqual } from 'node:util';
import type { TObject } from 'typebox';
import { parameterFault } from '../../wire/parameters.ts';

type Members = Readonly<Record<string, unknown>>;

/** The message without its read-only members; throws if one differs from the stored record. */
export async function dropFixedMembers(
  schema: TObject,
  message: Members,
  read: () => Promise<Members>,
): Promise<Members> {
  const isFixed = (name: string) =>
    (schema.properties[name] as { readOnly?: boolean } | undefined)?.readOnly === true;
  const fixed = Object.entries(message).filter(([name]) => isFixed(name));
  if (fixed.length === 0) return message;
  const before = await read();
  const errors = fixed
    .filter(([name, value]) => !isDeepStrictEqual(value, before[name]))
    .map(([parameter]) => ({ parameter, detail: 'cannot be changed' }));
  if (errors.length > 0) throw parameterFault(errors);
  return Object.fromEntries(Object.entries(message).filter(([name]) => !isFixed(name)));
}
