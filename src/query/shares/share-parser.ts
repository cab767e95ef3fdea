import type { NewShare, SharePeriod } from '../../catalog/catalog.ts';
import { parseInstant } from '../../lib/time/instant.ts';
import type { ParameterFault } from '../../vocabulary/faults.ts';
import type { ShareFields } from '../../wire/management/shares.ts';
import { parameterFault } from '../../wire/parameters.ts';
import type { DeclaredLabels } from '../parse/dimension-parser.ts';
import { readFilters } from '../parse/filter-parser.ts';
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
  }
  const period = readPeriod(fields, errors);
  const expiresAt = readEnd(fields.expiresAt ?? undefined, errors);
  if (errors.length > 0) throw parameterFault(errors);
  return {
    ...{ accountId, name: fields.name, filters, period, expiresAt },
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
    errors.push(...checkRange(sdate, edate));
    return { from: sdate, to: edate };
  }
  const detail = 'must be given, or else the first and the last day';
  errors.push({ parameter: 'lastDays', detail });
  return { lastDays: 1 };
}

function readEnd(text: string | undefined, errors: ParameterFault[]): Date | undefined {
  const instantMs = text === undefined ? undefined : parseInstant(text);
  if (text !== undefined && instantMs === undefined) {
    const detail = 'must be an existing date and time, such as 2026-11-20T10:15:30.123Z';
    errors.push({ parameter: 'expiresAt', detail });
  }
  return instantMs === undefined ? undefined : new Date(instantMs);
}
