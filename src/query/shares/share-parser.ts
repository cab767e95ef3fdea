import type { NewShare, SharePeriod } from '../../catalog/catalog.ts';
import { dayExists } from '../../lib/time/utc-day.ts';
import type { ParameterFault } from '../../vocabulary/faults.ts';
import { checkInstants, toDate } from '../../wire/instants.ts';
import type { ShareFields } from '../../wire/management/shares.ts';
import { noSuchDate, parameterFault } from '../../wire/parameters.ts';
import type { DeclaredLabels } from '../parse/dimension-parser.ts';
import { checkPlaybackFilters, readFilters } from '../parse/filter-parser.ts';
import { checkRange } from '../parse/range-parser.ts';

/** A share leaves room for the conditions that its readers add; see filter-parser.ts. */
const mostConditions = 10;

interface Maker {
  readonly accountId: number;
  readonly labels: DeclaredLabels;
}

/** Checks what the schema cannot: the days, the filters and the end; throws every error at once. */
export function readShare(fields: ShareFields, { accountId, labels }: Maker): NewShare {
  const errors: ParameterFault[] = [];
  const filters = fields.filters ?? '';
  if (filters !== '') {
    const read = readFilters(filters, labels);
    if (!read.ok) errors.push({ parameter: 'filters', detail: read.reason });
    else if (read.value.length > mostConditions) {
      errors.push({ parameter: 'filters', detail: `may have ${mostConditions} conditions` });
    }
    if (read.ok) errors.push(...checkPlaybackFilters(read.value));
  }
  const period = readPeriod(fields, errors);
  errors.push(...checkInstants(fields, ['expiresAt']));
  if (errors.length > 0) throw parameterFault(errors);
  return {
    ...{ accountId, name: fields.name, filters, period },
    expiresAt: toDate(fields.expiresAt),
    accessKey: fields.accessKey ?? undefined,
    packageId: fields.packageId ?? undefined,
    compare: fields.compare ?? 'none',
    timeZone: fields.timeZone ?? undefined,
    origins: fields.origins ?? [],
  };
}

function readPeriod(fields: ShareFields, errors: ParameterFault[]): SharePeriod {
  const { sdate = null, edate = null, lastDays = null } = fields;
  if (lastDays !== null && sdate === null && edate === null) return { lastDays };
  if (lastDays === null && sdate !== null && edate !== null) {
    const missing = Object.entries({ sdate, edate }).filter(([, day]) => !dayExists(day));
    errors.push(...missing.map(([parameter]) => ({ parameter, detail: noSuchDate })));
    if (missing.length === 0) errors.push(...checkRange(sdate, edate));
    return { from: sdate, to: edate };
  }
  const detail = 'must be given, or else the first and the last day';
  errors.push({ parameter: 'lastDays', detail });
  return { lastDays: 1 };
}
