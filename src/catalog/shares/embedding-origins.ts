import { canonicalOrigin } from '../../lib/network/origin.ts';
import { accept, type Result, refuse } from '../../lib/result.ts';
import { mostShareOrigins } from '../../wire/management/shares.ts';
import { type CatalogRefusal, refusedField } from '../refusal.ts';

/**
 * Of web sites alone, and each by its full name. They become part of a header, the policy (CSP) of
 * the page, where `;` and `*` would mean something: a URL may have both in the name of its host.
 */
const form = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(?::\d+)?$/;

/** As they are stored: with spaces between them. */
export function embeddingOrigins(given: readonly string[]): Result<string, CatalogRefusal> {
  if (given.length > mostShareOrigins) {
    return refusedField('origins', `must be ${mostShareOrigins} at most`);
  }
  const origins = given.map((text) => canonicalOrigin(text) ?? '');
  const fields = origins.flatMap((origin, index) =>
    form.test(origin)
      ? []
      : [{ field: `origins.${index}`, detail: 'must be an origin: https://example.com' }],
  );
  if (fields.length > 0) return refuse({ code: 'INVALID', fields });
  return accept([...new Set(origins)].join(' '));
}
