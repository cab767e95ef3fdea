/**
 * Takes raw facts that were exported, perhaps from another service: videos are found by their
 * access keys, packages by their names and labels by theirs. What else they say is kept as it is.
 */
import { Compile } from 'typebox/compile';
import type { Catalog, KnownLabel } from '../../../catalog/catalog.ts';
import { accept, type Result, refuse } from '../../../lib/result.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { parseInstant } from '../../../lib/time/instant.ts';
import { type Attributes, type Fact, slotMs } from '../../../store/facts.ts';
import {
  type BeaconsAnswer,
  type ImportAnswer,
  maxLabelCharacters,
} from '../../../wire/beacons/beacon.ts';
import { ExportedFact, labelPrefix } from '../../../wire/beacons/exported-fact.ts';
import type { Collector } from '../../collector.ts';
import type { DimensionLimits } from '../../dimension-limits/dimension-limits.ts';
import type { Refusal } from '../../draft.ts';
import { isLabelValue } from '../../enrich/label-step.ts';
import { readQuality } from '../../enrich/quality-step.ts';
import type { FactSpool } from '../../fact-parts.ts';
import { aheadMs } from '../../steps/time-step.ts';

const form = Compile(ExportedFact);
const mostViewer = 2n ** 64n;

export interface FactImport {
  /** Resolves when all accepted facts are durable; rejects with UNAVAILABLE: send all again. */
  collect(received: readonly unknown[], accountId: number): Promise<ImportAnswer>;
}

interface FactImportOptions {
  readonly catalog: Pick<Catalog, 'publications' | 'packages' | 'labels'>;
  readonly values: DimensionLimits;
  /** Those of the facts that were erased: acknowledged, and left out. Absent: nothing ever was. */
  readonly erased?: (facts: readonly Fact[]) => Promise<ReadonlySet<Fact>>;
  readonly spool: Pick<FactSpool, 'addInTurn'>;
  readonly clock: Clock;
}

/** What the catalog of this service calls what the facts name. */
interface Known {
  readonly accountId: number;
  /** Undefined for a name that several packages have. */
  readonly packages: ReadonlyMap<string, number | undefined>;
  readonly videos: ReadonlyMap<string, number>;
  readonly labels: ReadonlyMap<string, KnownLabel>;
  readonly nowMs: number;
}

export function createFactImport(options: FactImportOptions): FactImport {
  const { catalog, values, erased, spool, clock } = options;
  const learn = async (facts: readonly ExportedFact[], accountId: number): Promise<Known> => {
    const packages = Map.groupBy(
      await catalog.packages.list(accountId),
      ({ packageName }) => packageName,
    );
    const videos = await catalog.publications.findVideoIds(
      accountId,
      new Set(facts.map(({ video }) => video)),
    );
    const labels = await catalog.labels.known(accountId);
    const named = new Set(facts.flatMap((fact) => labelsIn(fact).map(([name]) => name)));
    const unused = [...named].flatMap((name) => {
      const label = labels.get(name);
      return label && !label.isUsed ? [label.labelId] : [];
    });
    if (unused.length > 0) await catalog.labels.markUsed(unused);
    const single = [...packages].map(([name, own]) => {
      return [name, own.length === 1 ? own[0]?.packageId : undefined] as const;
    });
    return { accountId, packages: new Map(single), videos, labels, nowMs: clock.now() };
  };
  return {
    async collect(received, accountId) {
      const forms = received.map((one) => (form.Check(one) ? one : undefined));
      const wellFormed = forms.filter((one) => one !== undefined);
      const known = await learn(wellFormed, accountId);
      const facts: Fact[] = [];
      const rejected: BeaconsAnswer['rejected'] = [];
      for (const [index, one] of forms.entries()) {
        const read = one ? toFact(one, known) : refuse(illFormed(received[index]));
        if (read.ok) facts.push(read.value);
        else rejected.push({ index, ...read.reason });
      }
      const gone = (await erased?.(facts)) ?? new Set();
      const kept = gone.size === 0 ? facts : facts.filter((fact) => !gone.has(fact));
      await spool.addInTurn(await values.bound(kept, { accountId }));
      return { accepted: facts.length, rejected, erased: gone.size };
    },
  };
}

/** Those with a value. */
function labelsIn(fact: ExportedFact): [name: string, value: unknown][] {
  return Object.entries(fact)
    .filter(([name, value]) => name.startsWith(labelPrefix) && value !== '')
    .map(([name, value]) => [name.slice(labelPrefix.length), value]);
}

function toFact(fact: ExportedFact, known: Known): Result<Fact, Refusal> {
  const slotStart = parseInstant(fact.slot);
  const startMs = fact.startedAt === null ? 0 : parseInstant(fact.startedAt);
  if (slotStart === undefined || slotStart % slotMs !== 0 || slotStart < slotMs) {
    return refuse(invalid('slot: must be the start of a quarter of an hour'));
  }
  if (slotStart > known.nowMs + aheadMs) {
    return refuse({ code: 'IN_FUTURE', detail: 'slot: must not be in the future' });
  }
  if (startMs === undefined || startMs >= slotStart + slotMs) {
    return refuse(invalid('startedAt: must be an instant before the end of the slot'));
  }
  if (BigInt(fact.viewer) >= mostViewer) return refuse(invalid('viewer: is too large'));
  const packageId = known.packages.get(fact.packageName);
  if (packageId === undefined) {
    const has = known.packages.has(fact.packageName) ? 'several packages' : 'no package';
    const detail = `packageName: the account has ${has} with the name ${fact.packageName}`;
    return refuse({ code: 'UNKNOWN_VIDEO', detail });
  }
  const videoId = known.videos.get(fact.video);
  if (videoId === undefined) {
    return refuse({ code: 'UNKNOWN_VIDEO', detail: `video: the account has no ${fact.video}` });
  }
  const attributes = readAttributes(fact, known);
  if (!attributes.ok) return attributes;
  const { os, osVersion, view, stretch, plays, playMs, laterMs, mediaMs, viewer } = fact;
  const position = fact.position ?? undefined;
  return accept({
    ...{ accountId: known.accountId, slotStart, packageId, videoId, os, osVersion, view, stretch },
    ...{ suspect: '', plays, playMs },
    details: {
      ...{ startMs, laterMs, position, mediaMs, attributes: attributes.value },
      viewer: viewer === '' ? undefined : viewer,
    },
    quality: readQuality(fact),
  });
}

function readAttributes(fact: ExportedFact, { labels }: Known): Result<Attributes, Refusal> {
  const { country, device, browser, browserVersion, host, page, referrer, player } = fact;
  const values: Record<string, string> = {};
  for (const [name, value] of labelsIn(fact)) {
    const label = labels.get(name);
    if (!label) return refuse(invalid(`${labelPrefix}${name}: the account has no such label`));
    if (typeof value !== 'string' || !isLabelValue(value)) {
      const words = `must be text of ${maxLabelCharacters} characters at most that can be shown`;
      return refuse(invalid(`${labelPrefix}${name}: ${words}`));
    }
    values[`label${label.number}`] = value;
  }
  const { streamType, connection, quality } = fact;
  const own = { country, device, browser, browserVersion, host, page, referrer, player };
  return accept({ ...own, streamType, connection, quality, ...(values as Attributes) });
}

function illFormed(received: unknown): Refusal {
  const [error] = form.Errors(received);
  const missing = error?.keyword === 'required' ? error.params.requiredProperties[0] : undefined;
  const member = missing ?? error?.instancePath.slice(1);
  return invalid(`${member}: ${missing === undefined ? error?.message : 'is required'}`);
}

function invalid(detail: string): Refusal {
  return { code: 'INVALID_BEACON', detail };
}

type Take = (received: readonly unknown[]) => Promise<ImportAnswer>;

interface Ways {
  readonly collector: Pick<Collector, 'collectHistory'>;
  readonly facts: FactImport;
}

/** Takes lines of an import: beacons, and raw facts as `export` writes them. */
export async function collectImported(
  { collector, facts }: Ways,
  received: readonly unknown[],
  accountId: number,
): Promise<ImportAnswer> {
  const ways: [isOwn: (line: unknown) => boolean, take: Take][] = [
    [(line) => !isFact(line), (lines) => collector.collectHistory(lines, accountId)],
    [isFact, (lines) => facts.collect(lines, accountId)],
  ];
  let accepted = 0;
  let erased = 0;
  const rejected: BeaconsAnswer['rejected'] = [];
  for (const [isOwn, take] of ways) {
    const indexes = received.flatMap((line, index) => (isOwn(line) ? [index] : []));
    if (indexes.length === 0) continue;
    const answer = await take(indexes.map((index) => received[index]));
    accepted += answer.accepted;
    erased += answer.erased;
    for (const one of answer.rejected) {
      rejected.push({ ...one, index: indexes[one.index] as number });
    }
  }
  return { accepted, rejected, erased };
}

/** Only facts name a slot. */
function isFact(line: unknown): boolean {
  return typeof line === 'object' && line !== null && 'slot' in line;
}

/** What an import needs, beside a running service or alone. */
export interface Importer {
  /** Beacons, and raw facts that were exported, in any order; see Collector. */
  collect(received: readonly unknown[], accountId: number): Promise<ImportAnswer>;
  /** The folder where imports keep their progress. */
  readonly positionsFolder: string;
  /** Whether the account exists. */
  hasAccount(accountId: number): Promise<boolean>;
  /** Makes imported beacons visible in the statistics. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
