import type { AuditEntry } from '../../catalog/catalog.ts';
import { parseInstant } from '../../lib/time/instant.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import { auditRecordOf } from '../../operations/audit-page.ts';
import { AuditFilters } from '../../vocabulary/audit-actions.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { WrongUsage } from '../runner/arguments.ts';
import { accountOption, jsonOption, optionalOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

const entryLimit = 100_000;

export const auditList: Verb = {
  words: 'audit list',
  summary: 'List who changed what in an account, when, and from where; newest first',
  options: {
    account: accountOption,
    from: optionalOption('First day (UTC) to list, or the instant to start at', 'DATE'),
    to: optionalOption('Last day (UTC) to list, or the instant to stop before', 'DATE'),
    action: optionalOption('Only this kind of change, such as KEY_CREATED', 'ACTION'),
    actor: optionalOption('Only changes by KEY:ID, COMMAND_LINE or SERVICE', 'WHO'),
    limit: {
      type: 'string',
      description: `How many entries to list, newest first; at most ${entryLimit}`,
      valueHint: 'N',
      default: '1000',
    },
    json: jsonOption,
  },
  async run(given, parts) {
    const accountId = given.id('account');
    const from = given.has('from') ? readBorder('from', given.text('from'), 0) : undefined;
    const to = given.has('to') ? readBorder('to', given.text('to'), dayMs) : undefined;
    const limit = given.id('limit');
    if (limit > entryLimit) throw new WrongUsage(`--limit must be at most ${entryLimit}`);
    const filters = checkMessage(AuditFilters, {
      ...(given.has('action') && { action: given.text('action') }),
      ...(given.has('actor') && { actor: given.text('actor') }),
    });
    return withCatalog(parts, async (catalog) => {
      const entries = await catalog.audit.list(accountId, { from, to, ...filters, limit });
      return { json: { auditList: entries.map(auditRecordOf) }, lines: entries.map(describe) };
    });
  },
};

/** A day stands for its begin; `endMs` later for its end. */
function readBorder(option: string, text: string, endMs: number): Date {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const instantMs = parseInstant(isDay ? `${text}T00:00:00Z` : text);
  if (instantMs !== undefined) return new Date(instantMs + (isDay ? endMs : 0));
  throw new WrongUsage(`--${option} must be a day such as 2026-12-31, or an RFC 3339 instant`);
}

function describe({ at, actor, actorName, address, action, object, before, after }: AuditEntry) {
  const who = [actor, actorName, address ?? ''].filter((word) => word !== '').join(' ');
  const what = [before, after].map((members) => (members ? JSON.stringify(members) : '-'));
  return [at.toISOString(), who, action, object ?? '', what.join(' -> ')].join('\t');
}
