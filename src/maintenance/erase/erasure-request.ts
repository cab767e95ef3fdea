/** What somebody wants erased, by the names that they know -> the ids that are stored. */
import type { Catalog } from '../../catalog/catalog.ts';
import { namedViewer } from '../../collect/enrich/viewer/viewers.ts';
import { identifyCmcdView } from '../../collect/forms/cmcd/cmcd-collector.ts';
import { identifySignedView } from '../../collect/signing/view-tokens.ts';
import { aheadMs } from '../../collect/steps/time-step.ts';
import { identifyView } from '../../collect/steps/view-identity.ts';
import { assert } from '../../lib/assert.ts';
import { dayMs, toUtcDay } from '../../lib/time/utc-day.ts';
import { found } from '../../operations/refusal-faults.ts';
import { calendarSpans } from '../../query/ranges/local-days.ts';
import { type FactErasure, slotMs } from '../../store/facts.ts';
import type { ErasureTarget } from '../../vocabulary/erasures.ts';
import { parameterFault } from '../../wire/parameters.ts';

const largestId = 2 ** 32 - 1;
/** Of a view's id, which receipts and exports may show. */
const storedForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One of view, viewer, or video and package; without any of them, the whole account. */
export interface ErasureRequest {
  readonly accountId: number;
  /** As the page, the token (`jti`) or the CMCD session (`sid`) calls it. */
  readonly view?: string | undefined;
  /** As the page or a token (`sub`) calls the viewer. */
  readonly viewer?: string | undefined;
  readonly accessKey?: string | undefined;
  readonly packageId?: number | undefined;
  /** Only what was played before this day (yyyy-mm-dd) of the account's zone. */
  readonly before?: string | undefined;
  /** With `before` alone: single facts go, and their sums stay. */
  readonly keepSums?: boolean | undefined;
}

export interface RequestSources {
  readonly catalog: Pick<Catalog, 'accounts' | 'publications' | 'names'>;
  readonly facts: Pick<FactErasure, 'knownViews'>;
  /** The service's. */
  readonly secret: string;
  readonly nowMs: number;
}

/** Rejects with NOT_FOUND where the account has no such video or package. */
export async function createTarget(
  request: ErasureRequest,
  sources: RequestSources,
): Promise<ErasureTarget> {
  const { accountId, view, viewer, accessKey, packageId = 0, before, keepSums } = request;
  const { timeZone } = found(await sources.catalog.accounts.find(accountId), 'NO_ACCOUNT');
  const isOfAll = [view, viewer, accessKey, request.packageId].every((one) => one === undefined);
  if (keepSums && (before === undefined || !isOfAll)) {
    throw parameterFault([{ parameter: 'keepSums', detail: 'must be given with before alone' }]);
  }
  const untilMs =
    before === undefined
      ? endOfNow(sources.nowMs)
      : requirePast(
          keepSums ? utcDayFrom(findStart(before, timeZone)) : findStart(before, timeZone),
          sources.nowMs,
        );
  const nothing = { accountId, viewer: '', views: [], packageId: 0, videoId: 0, untilMs };
  if (view !== undefined) {
    const views = await viewsNamed(accountId, view, sources);
    return { ...nothing, kind: 'views', views };
  }
  if (viewer !== undefined) {
    return { ...nothing, kind: 'viewer', viewer: namedViewer(sources.secret, accountId, viewer) };
  }
  if (keepSums) return { ...nothing, kind: 'facts' };
  if (packageId > 0) await requirePackage(accountId, packageId, sources);
  const videoId = accessKey === undefined ? 0 : await findVideo(accountId, accessKey, sources);
  return { ...nothing, kind: 'playback', packageId, videoId };
}

/** The first slot of a day, or of the one after it where the zone skipped it. */
function findStart(day: string, timeZone: string): number {
  const [first] = calendarSpans(day, toUtcDay(Date.parse(day) + 2 * dayMs), timeZone);
  assert(first, 'no zone skips two days');
  return first.fromMs;
}

/**
 * Sums that have lost their facts are kept by whole UTC days, since those of a day are made anew
 * together.
 */
function utcDayFrom(instantMs: number): number {
  return Math.ceil(instantMs / dayMs) * dayMs;
}

function requirePast(instantMs: number, nowMs: number): number {
  if (instantMs <= nowMs) return instantMs;
  throw parameterFault([{ parameter: 'before', detail: 'must not be in the future' }]);
}

/** Facts are erased by the slots they lie in, and players' clocks may be ahead. */
function endOfNow(nowMs: number): number {
  return Math.ceil((nowMs + aheadMs) / slotMs) * slotMs;
}

/** Also of a package that was deleted: its statistics are kept until then. */
async function requirePackage(
  accountId: number,
  packageId: number,
  { catalog }: RequestSources,
): Promise<void> {
  const known = packageId <= largestId ? await catalog.names.packages(accountId, [packageId]) : [];
  found(known[0], 'NO_PACKAGE');
}

async function findVideo(
  accountId: number,
  accessKey: string,
  { catalog }: RequestSources,
): Promise<number> {
  return found(await catalog.publications.findVideoId(accountId, accessKey), 'NO_VIDEO');
}

/**
 * The ids of views of this name: that of a beacon, which may still come, and those of other wire
 * forms that have facts or events. The latter name views by their videos too.
 */
async function viewsNamed(
  accountId: number,
  name: string,
  { facts, catalog }: RequestSources,
): Promise<string[]> {
  const views = new Set([identifyView('beacon', name)]);
  const add = async (some: readonly string[]) => {
    for (const view of await facts.knownViews(accountId, some)) views.add(view);
  };
  if (storedForm.test(name)) await add([name.toLowerCase()]);
  let after = 0;
  for (;;) {
    const some = await catalog.publications.keysAfter(accountId, after);
    const last = some.at(-1);
    if (last === undefined) return [...views];
    await add(
      some.flatMap(({ videoKey, ...numbers }) => [
        identifyCmcdView({ accountId, ...numbers }, name),
        identifySignedView(videoKey, name),
      ]),
    );
    after = last.publicationId;
  }
}
