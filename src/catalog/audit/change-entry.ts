import { isDeepStrictEqual } from 'node:util';
import { assert } from '../../lib/assert.ts';
import type { AuditAction } from '../../vocabulary/audit-actions.ts';
import type { Actor } from '../audit.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';

const shownCharacters = 200;
const shownItems = 20;

interface Change extends ServiceChange {
  readonly accountId: number;
}

interface ServiceChange {
  readonly action: AuditAction;
  /** Id or original key of what is changed; omitted if it is several. */
  readonly object?: string | number;
  /** As it was; omitted if it did not exist. Never give a secret. */
  readonly before?: object | undefined;
  /** As it became; omitted if it exists no longer. */
  readonly after?: object | undefined;
}

/**
 * Notes a change in the audit, inside the transaction that makes it: neither is there without the
 * other. Of `before` and `after` only what differs is kept, with long texts and lists cut short. A
 * change that changes nothing is not noted.
 */
export async function noteChange(
  database: Noting,
  transaction: Connection,
  { accountId, ...change }: Change,
): Promise<void> {
  const entry = createEntry(database, transaction, change);
  if (entry === undefined) return;
  await transaction
    .insertInto('audit')
    .values({ accountId, ...entry })
    .execute();
}

/** The same of what is of no account. */
export async function noteServiceChange(
  database: Noting,
  transaction: Connection,
  change: ServiceChange,
): Promise<void> {
  const entry = createEntry(database, transaction, change);
  if (entry !== undefined) await transaction.insertInto('serviceAudit').values(entry).execute();
}

type Noting = Pick<Database, 'clock' | 'actor'>;

/** Undefined of a change that changes nothing. */
function createEntry(
  { clock, actor }: Noting,
  transaction: Connection,
  { action, object, before, after }: ServiceChange,
) {
  assert(transaction.isTransaction, 'a change and its entry are of one transaction');
  const beforeJson = differing(before, after);
  const afterJson = differing(after, before);
  if (beforeJson === '{}' && afterJson === '{}') return undefined;
  return {
    atMs: clock.now(),
    address: 'address' in actor ? actor.address : null,
    ...describeActor(actor),
    action,
    object: object === undefined ? null : String(object),
    ...{ beforeJson, afterJson },
  };
}

/** The members of one that the other has not or has otherwise, as JSON. */
function differing(one: object | undefined, other: object = {}): string | null {
  if (one === undefined) return null;
  const others = new Map<string, unknown>(Object.entries(other));
  const entries = Object.entries(one)
    .filter(
      ([name, value]) => !isDeepStrictEqual(value ?? undefined, others.get(name) ?? undefined),
    )
    .map(([name, value]) => [name, cutShort(value)]);
  return JSON.stringify(Object.fromEntries(entries));
}

function cutShort(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, shownItems).map(cutShort);
  if (typeof value !== 'string' || value.length <= shownCharacters) return value;
  return `${value.slice(0, shownCharacters).toWellFormed()}…`;
}

/** As rows name who made a change. */
export function describeActor(actor: Actor): { actor: string; actorName: string } {
  switch (actor.kind) {
    case 'KEY':
      return { actor: `KEY:${actor.keyId}`, actorName: actor.keyName };
    case 'PERSON':
      return { actor: `PERSON:${actor.personId}`, actorName: actor.personName };
    case 'COMMAND_LINE':
      return { actor: 'COMMAND_LINE', actorName: actor.userName };
    case 'SERVICE':
      return { actor: 'SERVICE', actorName: '' };
  }
}
