import { canonicalOrigin } from '../../lib/network/origin.ts';
import { accept, type Result, refuse } from '../../lib/result.ts';
import type { CatalogRefusal } from '../refusal.ts';

/** Stored with spaces between them, which no origin contains. */
export function originsOf(stored: string): readonly string[] {
  return stored === '' ? [] : stored.split(' ');
}

/** Each as a browser writes it in the header Origin: lower case, no default port. */
export function storedOrigins(given: readonly string[]): Result<string, CatalogRefusal> {
  const fields = given.flatMap((text, index) =>
    canonicalOrigin(text) === undefined
      ? [{ field: `allowedOrigins.${index}`, detail: 'must be an origin: https://example.com' }]
      : [],
  );
  if (fields.length > 0) return refuse({ code: 'INVALID', fields });
  return accept([...new Set(given.map(canonicalOrigin))].join(' '));
}
