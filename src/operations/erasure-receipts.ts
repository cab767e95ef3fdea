/** Receipts of erasures as JSON: listed, and read again by a restore of an older backup. */
import Type, { type Static } from 'typebox';
import type { Erasure } from '../catalog/catalog.ts';
import { erasureKinds, erasureStates } from '../vocabulary/erasures.ts';
import { checkMessage } from '../wire/message-check.ts';

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const instant = Type.String({ format: 'date-time' });

export const WholeReceipt = Type.Object({
  receipt: Type.String({ format: 'uuid' }),
  account: Type.Integer({ minimum: 1, maximum: 2 ** 32 - 1 }),
  kind: Type.Enum([...erasureKinds]),
  viewer: Type.String({ pattern: '^[0-9]{0,20}$' }),
  views: Type.Array(Type.String({ format: 'uuid' })),
  packageId: count,
  videoId: count,
  until: instant,
  state: Type.Enum([...erasureStates]),
  erasedViews: count,
  erasedFacts: count,
  at: instant,
  actor: Type.String({ maxLength: 100 }),
  actorName: Type.String({ maxLength: 1_000 }),
  endedAt: Type.Union([instant, Type.Null()]),
});
type WholeReceipt = Static<typeof WholeReceipt>;

/** `views`: ids by which it is known what must not come back. */
export function writeReceipt(erasure: Erasure, views: readonly string[]): WholeReceipt {
  const { receipt, accountId, kind, viewer, packageId, videoId, state, ...others } = erasure;
  return {
    ...{ receipt, account: accountId, kind, viewer, views: [...views], packageId, videoId },
    until: new Date(others.untilMs).toISOString(),
    ...{ state, erasedViews: others.views, erasedFacts: others.facts },
    ...{ at: others.at.toISOString(), actor: others.actor, actorName: others.actorName },
    endedAt: others.endedAt?.toISOString() ?? null,
  };
}

export interface ReadReceipt {
  readonly erasure: Erasure;
  readonly views: readonly string[];
}

const Receipts = Type.Object({ list: Type.Array(WholeReceipt) });

/** What `writeReceipt` wrote, in a list; faults where it is something else. The oldest first. */
export function readReceipts(message: unknown): ReadReceipt[] {
  const { list } = checkMessage(Receipts, message);
  return list
    .map(({ account, erasedViews, erasedFacts, until, at, endedAt, views, ...members }) => ({
      erasure: {
        ...{ ...members, accountId: account, views: erasedViews, facts: erasedFacts },
        untilMs: Date.parse(until),
        at: new Date(at),
        endedAt: endedAt === null ? undefined : new Date(endedAt),
      },
      views,
    }))
    .sort((one, other) => one.erasure.at.getTime() - other.erasure.at.getTime());
}
