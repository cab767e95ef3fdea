import { canonicalOrigin } from '../../lib/network/origin.ts';
import { accept, type Result, refuse } from '../../lib/result.ts';
import { mostShareOrigins, type ShareComparison } from '../../wire/management/shares.ts';
import { checkName } from '../access/name-check.ts';
import { checkTimeZone } from '../access/time-zone-check.ts';
import type { Connection } from '../database/connection.ts';
import { findVideoId } from '../library/video-row.ts';
import { type CatalogRefusal, refused, refusedField } from '../refusal.ts';
import type { NewShare } from '../shares.ts';

/** As it is stored. */
interface CheckedShare {
  readonly name: string;
  readonly accessKey: string | null;
  readonly packageId: number | null;
  readonly filters: string;
  readonly fromDay: string | null;
  readonly toDay: string | null;
  readonly lastDays: number | null;
  readonly compare: ShareComparison;
  readonly timeZone: string;
  readonly origins: string;
  readonly expiresAtMs: number | null;
}

/** What the schema and the questions' own readers cannot see; they have checked the rest. */
export async function checkShare(
  connection: Connection,
  given: NewShare,
  zoneOfAccount: string,
  nowMs: number,
): Promise<Result<CheckedShare, CatalogRefusal>> {
  const { accountId, accessKey, packageId, period, filters, compare } = given;
  const name = checkName('name', given.name);
  if (!name.ok) return name;
  const timeZone = checkTimeZone(given.timeZone ?? zoneOfAccount);
  if (!timeZone.ok) return timeZone;
  const origins = embeddingOrigins(given.origins);
  if (!origins.ok) return origins;
  const expiresAtMs = given.expiresAt?.getTime() ?? null;
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    return refusedField('expiresAt', 'must be in the future');
  }
  if (accessKey !== undefined && !(await findVideoId(connection, accountId, accessKey))) {
    return refused('NO_VIDEO');
  }
  if (packageId !== undefined && !(await hasPackage(connection, accountId, packageId))) {
    return refused('NO_PACKAGE');
  }
  return accept({
    ...{ name: name.value, timeZone: timeZone.value, origins: origins.value, expiresAtMs },
    ...{ accessKey: accessKey ?? null, packageId: packageId ?? null, filters, compare },
    fromDay: 'from' in period ? period.from : null,
    toDay: 'to' in period ? period.to : null,
    lastDays: 'lastDays' in period ? period.lastDays : null,
  });
}

/** Also one that is deleted: its statistics are kept. */
async function hasPackage(
  connection: Connection,
  accountId: number,
  packageId: number,
): Promise<boolean> {
  const row = await connection
    .selectFrom('packages')
    .select('id')
    .where('accountId', '=', accountId)
    .where('id', '=', packageId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Of web sites alone, and each by its full name. They become part of a header, the policy (CSP) of
 * the page, where `;` and `*` would mean something: a URL may have both in the name of its host.
 */
const form = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?|\[[0-9a-f:.]+\])(?::\d+)?$/;

/** As they are stored: with spaces between them. */
function embeddingOrigins(given: readonly string[]): Result<string, CatalogRefusal> {
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
