/**
 * The naive oracle of the audience: goes through every fact for every question, with nothing of the
 * service's own code. Slow and plain on purpose.
 */
import type { Fact } from '../../src/store/facts.ts';

export interface OracleVideo {
  readonly videoId: number;
  readonly accessKey: string;
  readonly title: string;
  readonly folderId: number;
  readonly lengthMs: number;
}

export interface OracleQuestion {
  readonly accountId: number;
  readonly timeZone: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly measures: readonly string[];
  readonly dimensions: readonly string[];
  readonly filters: readonly { name: string; operator: string; values: readonly string[] }[];
  readonly sort: readonly { name: string; isDescending: boolean }[];
  readonly compare?: 'previous' | 'weekdays' | 'year' | undefined;
  readonly fill: boolean;
  /** When it is asked; nothing is cut if absent. */
  readonly nowMs?: number;
  /** Of the range compared with: so much later are its weeks, months and years. */
  readonly later?: { readonly days: number; readonly firstDay: string };
  /** Of the range compared with: of its last day only what was played before this time of day. */
  readonly lastDayMs?: number;
}

type Values = Record<string, number | null>;
export type OracleRow = Record<string, unknown>;

/** A part of a stretch as it counts. */
interface Part extends Fact {
  readonly countedMs: number;
}

interface Group {
  readonly labels: readonly (string | number)[];
  readonly places: readonly (string | number)[];
  readonly parts: Part[];
}

/** Of these only views that reported their first wait are made. */
const ofQuality =
  /^(?:attempts|starts|exit|startFail|failure|startup|stall|seekMs|bitrate|droppedShare)/;
/** From the least. */
const causes = ['start', 'seek', 'stall', 'error'];
const outcomes = ['waiting', 'left', 'failed', 'played'];
const hourMs = 3_600_000;
/** Beside these stands of how many views they are made. */
const ofPositions = /^(?:positionedViews|seenMs|averageSeen|completions|reached\d+)$/;
const slotMs = 900_000;
const dayMs = 86_400_000;

export class AudienceOracle {
  #facts: Fact[] = [];
  readonly #accepted = new Set<string>();
  readonly #known = new Map<number, Part[]>();
  readonly #videos: readonly OracleVideo[];
  readonly #names: ReadonlyMap<string, string>;
  readonly #labels: readonly string[];

  /** `names`: of packages and folders, as `package 3`. */
  constructor(
    videos: readonly OracleVideo[],
    names: ReadonlyMap<string, string>,
    labels: readonly string[],
  ) {
    this.#videos = videos;
    this.#names = names;
    this.#labels = labels;
  }

  record(...facts: Fact[]): void {
    for (const fact of facts) this.#facts.push(fact);
    this.#known.clear();
  }

  accept(suspect: string): void {
    this.#accepted.add(suspect);
    this.#known.clear();
  }

  /** Whatever was played of a video until now. */
  eraseVideo(videoId: number): void {
    this.#facts = this.#facts.filter((fact) => fact.videoId !== videoId);
    this.#known.clear();
  }

  answer(question: OracleQuestion) {
    const groups = this.#groups(question);
    const before = question.compare && this.#groups(earlier(question));
    const byPlace = new Map(before?.map((group) => [JSON.stringify(group.places), group]));
    const earlierOf = (places: readonly unknown[]) => byPlace.get(JSON.stringify(places));
    const rowOf = ({ labels, places, parts }: Group): OracleRow => {
      const previous = earlierOf(places)?.parts;
      return {
        ...this.#shown(question, labels),
        ...this.#measures(question, parts),
        ...(before && { previous: previous ? this.#measures(question, previous) : null }),
      };
    };
    const all = groups.flatMap(({ parts }) => parts);
    const allBefore = before?.flatMap(({ parts }) => parts) ?? [];
    const rows = groups.toSorted(this.#order(question)).map(rowOf);
    const totals = {
      ...this.#measures(question, all),
      ...(before && {
        previous: allBefore.length > 0 ? this.#measures(question, allBefore) : null,
      }),
    };
    return {
      rows: question.dimensions.length === 0 ? [totals] : rows,
      totals,
      viewerBasis: question.measures.includes('viewers')
        ? basisOf(all.filter(isPlayback))
        : undefined,
      qualityBasis: asksQuality(question)
        ? {
            attempts: Number(this.#counted(all, question.nowMs).attempts),
            views: new Set(all.map(viewOf)).size,
          }
        : undefined,
    };
  }

  /** Section 3 of the quality interface: of all rows together. */
  distribution(question: OracleQuestion, measure: string) {
    // With waits.
    const whole = { ...question, dimensions: [], measures: ['attempts'] };
    const partsOf = (of: OracleQuestion) => this.#groups(of).flatMap(({ parts }) => parts);
    const spread = (parts: readonly Part[]) => {
      const values = this.#valuesOf(parts, measure, question.nowMs ?? 0);
      const isShare = measure === 'seen';
      const total = values.reduce((sum, value) => sum + Math.round(value * 10_000), 0);
      return {
        views: values.length,
        mean: quotient(total, values.length * 10_000, isShare ? 4 : 0),
        ...{ p50: percentileOf(values, 50), p75: percentileOf(values, 75) },
        ...{ p95: percentileOf(values, 95), p99: percentileOf(values, 99) },
        list: bucketsOf(measure).map(([from, to]) => ({
          ...{ from, to },
          views: values.filter(
            (value) =>
              value >= from && (to === null || value < to || (isShare && value === to && to === 1)),
          ).length,
        })),
      };
    };
    const parts = partsOf(whole);
    const before = question.compare && spread(partsOf(earlier(whole)));
    const isOfQuality = ['startupMs', 'stallMs', 'bitrate'].includes(measure);
    const attempts = Number(this.#counted(parts, question.nowMs).attempts);
    return {
      ...spread(parts),
      ...(isOfQuality && { qualityBasis: { attempts, views: new Set(parts.map(viewOf)).size } }),
      ...(before && { previous: before.views > 0 ? before : null }),
    };
  }

  #valuesOf(all: readonly Part[], measure: string, nowMs: number): number[] {
    const { played, over } = told(all, nowMs);
    const views = (parts: readonly Part[]) => [...Map.groupBy(parts, viewOf).values()];
    switch (measure) {
      case 'startupMs':
        return over
          .filter(({ cause, outcome }) => cause === 'start' && outcome === 'played')
          .map(({ waitMs }) => waitMs);
      case 'stallMs': {
        const stalled = new Map<string, number>(played.map((part) => [viewOf(part), 0]));
        for (const { view, cause, waitMs } of over) {
          stalled.set(view, (stalled.get(view) ?? 0) + (cause === 'stall' ? waitMs : 0));
        }
        return [...stalled.values()];
      }
      case 'bitrate':
        return views(played).flatMap((some) => {
          const { bits, ms } = bitsOf(some);
          return quotient(bits, ms, 0) ?? [];
        });
      case 'playMs':
        return views(all.filter(isPlayback)).map((some) =>
          some.reduce((total, { countedMs }) => total + countedMs, 0),
        );
      default:
        return views(all.filter(isPlayback)).flatMap((some) =>
          this.#seen(some).map(({ seenMs, lengthMs }) => quotient(seenMs, lengthMs, 4) ?? 0),
        );
    }
  }

  #groups(question: OracleQuestion): Group[] {
    const { dimensions, filters } = question;
    const groups = new Map<string, Group>();
    const knownPlaces = new Map<string, string | number>();
    const placesOf = (labels: readonly (string | number)[]) =>
      dimensions.map((name, index) => {
        const key = `${name} ${labels[index]}`;
        const place = knownPlaces.get(key) ?? placeOf(name, labels[index], question);
        knownPlaces.set(key, place);
        return place;
      });
    const at = (labels: readonly (string | number)[]): Group => {
      const key = JSON.stringify(labels);
      const group = groups.get(key) ?? { labels, places: placesOf(labels), parts: [] };
      groups.set(key, group);
      return group;
    };
    for (const whole of this.#parts(question.accountId)) {
      if (!isPlayback(whole) && !asksQuality(question)) continue;
      const part = cutAt(whole, question);
      if (part === undefined) continue;
      const { date } = clockAt(part.slotStart, question.timeZone);
      if (date < question.firstDay || date > question.lastDay) continue;
      const passes = filters.every((filter) =>
        holds(filter, String(this.#label(filter.name, part, question.timeZone))),
      );
      if (!passes) continue;
      const labels = dimensions.map((name) =>
        this.#label(name, part, question.timeZone, question.later?.days),
      );
      at(labels).parts.push(part);
    }
    const time = dimensions.findIndex((name) => times.includes(name));
    if (question.fill && time >= 0) {
      const rests = [...groups.values()].map(({ labels }) => labels.toSpliced(time, 1));
      if (dimensions.length === 1) rests.push([]);
      for (const slotStart of slotsOf(question)) {
        const passes = filters
          .filter(({ name }) => times.includes(name))
          .every((filter) => holds(filter, timeLabel(filter.name, slotStart, question.timeZone)));
        if (!passes) continue;
        const label = timeLabel(dimensions[time] ?? '', slotStart, question.timeZone);
        for (const rest of rests) at(rest.toSpliced(time, 0, label));
      }
    }
    return [...groups.values()];
  }

  /** Each stretch's part in a slot once, with what counts of it. */
  #parts(accountId: number): Part[] {
    const parts = this.#known.get(accountId) ?? this.#merged(accountId);
    this.#known.set(accountId, parts);
    return parts;
  }

  #merged(accountId: number): Part[] {
    const told = this.#facts.filter(
      (fact) =>
        fact.accountId === accountId && (fact.suspect === '' || this.#accepted.has(fact.suspect)),
    );
    const merged = new Map<string, Fact>();
    for (const fact of ofOneBeginning(levelled(told))) {
      const key = `${viewInSlot(fact)} ${fact.stretch}`;
      const known = merged.get(key);
      merged.set(key, known ? largest(known, fact) : fact);
    }
    const taken = new Map<string, number>();
    return [...merged.values()]
      .filter((fact) => isPlayback(fact) || fact.quality?.wait !== undefined)
      .sort((one, other) => one.stretch - other.stretch)
      .map((fact) => {
        const before = taken.get(viewInSlot(fact)) ?? 0;
        taken.set(viewInSlot(fact), before + fact.playMs);
        return { ...fact, countedMs: Math.min(fact.playMs, Math.max(0, slotMs - before)) };
      });
  }

  #label(name: string, part: Part, timeZone: string, laterDays = 0): string | number {
    const video = this.#videos.find(({ videoId }) => videoId === part.videoId);
    if (times.includes(name)) return timeLabel(name, part.slotStart, timeZone, laterDays);
    if (name === 'video') return video?.accessKey ?? '';
    if (name === 'folder') return video?.folderId ?? 0;
    if (name === 'package') return part.packageId;
    if (name === 'os' || name === 'osVersion') return part[name] || 'Unknown';
    if (name === 'viewerKind') return kindOf(part);
    if (name === 'mediaHost') return part.quality?.mediaHost || 'Unknown';
    if (name === 'error') return part.quality?.wait?.error || 'Unknown';
    const attributes = (part.details?.attributes ?? {}) as Record<string, string | undefined>;
    const column = name.startsWith('label.')
      ? `label${this.#labels.indexOf(name.slice('label.'.length)) + 1}`
      : name;
    return attributes[column] || 'Unknown';
  }

  #shown({ dimensions }: OracleQuestion, labels: readonly (string | number)[]): OracleRow {
    const shown = dimensions.flatMap((name, index): [string, unknown][] => {
      const value = labels[index];
      const own: [string, unknown] = [name, value];
      if (name === 'video') {
        const video = this.#videos.find(({ accessKey }) => accessKey === value);
        return [own, ['videoTitle', video?.title]];
      }
      if (name === 'package' || name === 'folder') {
        return [own, [`${name}Name`, this.#names.get(`${name} ${value}`)]];
      }
      return [own];
    });
    return Object.fromEntries(shown);
  }

  #measures({ measures, nowMs }: OracleQuestion, parts: readonly Part[]): Values {
    const counted = this.#counted(parts, nowMs);
    const basis = measures.some((name) => ofPositions.test(name)) ? ['positionedViews'] : [];
    const names = [...new Set([...measures, ...basis])];
    return Object.fromEntries(names.map((name) => [name, counted[name] ?? null]));
  }

  #counted(all: readonly Part[], nowMs = 0): Values {
    const parts = all.filter(isPlayback);
    const sum = (ofPart: (part: Part) => number) =>
      parts.reduce((total, part) => total + ofPart(part), 0);
    const plays = sum((part) => part.plays);
    const playMs = sum((part) => part.countedMs);
    const seen = [...Map.groupBy(parts, viewOf).values()].flatMap((some) => this.#seen(some));
    const seenMs = seen.reduce((total, view) => total + view.seenMs, 0);
    const lengthMs = seen.reduce((total, view) => total + view.lengthMs, 0);
    const reached = (percent: number) =>
      seen.filter((view) => view.furthestMs * 100 >= view.lengthMs * percent).length;
    return {
      plays,
      playMs,
      views: new Set(parts.map(viewOf)).size,
      viewers: new Set(parts.map((part) => part.details?.viewer ?? viewOf(part))).size,
      averagePlayMs: plays === 0 ? null : Math.floor((2 * playMs + plays) / (2 * plays)),
      mediaMs: sum((part) => {
        const [from, until] = mediaOf(part);
        return part.playMs === 0 ? 0 : Math.floor(((until - from) * part.countedMs) / part.playMs);
      }),
      positionedViews: seen.length,
      seenMs,
      averageSeen:
        lengthMs === 0 ? null : Math.floor((20_000 * seenMs + lengthMs) / (2 * lengthMs)) / 10_000,
      completions: seen.filter((view) => view.seenMs * 100 >= view.lengthMs * 95).length,
      reached25: reached(25),
      reached50: reached(50),
      reached75: reached(75),
      reached100: seen.filter((view) => view.furthestMs >= view.lengthMs - 1_000).length,
      ...qualityOf(all, nowMs),
    };
  }

  /** Of the parts of one view; nothing if it reported no position or the video has no length. */
  #seen(parts: readonly Part[]) {
    const lengthMs = this.#videos.find(({ videoId }) => videoId === parts[0]?.videoId)?.lengthMs;
    const ranges = parts.flatMap((part): [number, number][] => {
      const position = part.details?.position;
      if (position === undefined) return [];
      const [from, until] = mediaOf(part);
      return [[position + from, position + until]];
    });
    if (!lengthMs || ranges.length === 0) return [];
    let seenMs = 0;
    let seenUntil = 0;
    for (const [from, until] of ranges.toSorted(([one], [other]) => one - other)) {
      const begins = Math.max(from, seenUntil);
      const ends = Math.min(until, lengthMs);
      seenMs += Math.max(0, ends - begins);
      seenUntil = Math.max(seenUntil, ends);
    }
    return [{ lengthMs, seenMs, furthestMs: Math.max(...ranges.map(([, until]) => until)) }];
  }

  #order(question: OracleQuestion) {
    const { dimensions, measures, sort } = question;
    const time = dimensions.find((name) => times.includes(name));
    const usual = time
      ? { name: time, isDescending: false }
      : { name: measures[0] ?? '', isDescending: true };
    const by = [
      ...(sort.length > 0 ? sort : [usual]),
      ...dimensions.map((name) => ({ name, isDescending: false })),
    ];
    const values = new Map<Group, Values>();
    const measureOf = (group: Group, name: string) => {
      const known = values.get(group) ?? this.#counted(group.parts, question.nowMs);
      values.set(group, known);
      return known[name] ?? null;
    };
    return (one: Group, other: Group): number => {
      for (const { name, isDescending } of by) {
        const sign = isDescending ? -1 : 1;
        const index = dimensions.indexOf(name);
        if (index >= 0) {
          const order = compareLabels(name, one.labels[index], other.labels[index]);
          if (order !== 0) return sign * order;
          continue;
        }
        const [a, b] = [measureOf(one, name), measureOf(other, name)];
        if (a === b) continue;
        if (a === null) return 1;
        if (b === null) return -1;
        return sign * (a - b);
      }
      return 0;
    };
  }
}

const asksQuality = ({ measures }: OracleQuestion) => measures.some((name) => ofQuality.test(name));

function isPlayback({ plays, playMs }: Fact): boolean {
  return plays > 0 || playMs > 0;
}

/** What is in measures of quality: of views that reported their first wait. */
function told(all: readonly Part[], nowMs: number) {
  const parts = all.filter(({ details }) => details?.attributes.quality !== undefined);
  const waits = parts.flatMap(({ quality, details, ...part }) => {
    const wait = quality?.wait;
    if (wait === undefined) return [];
    const endMs = (details?.startMs ?? 0) + wait.waitMs;
    const isOld = endMs + 24 * hourMs <= nowMs;
    const outcome = wait.outcome === 'waiting' && isOld ? 'left' : wait.outcome;
    return [{ ...wait, outcome, view: viewOf(part) }];
  });
  const over = waits.filter(({ outcome }) => outcome !== 'waiting');
  return { played: parts.filter(isPlayback), waits, over };
}

const quotient = (part: number, whole: number, decimals: number) => {
  const scale = 10 ** decimals;
  return whole === 0 ? null : Math.floor((2 * part * scale + whole) / (2 * whole)) / scale;
};

/** Nearest rank: the first that so many percent of all are at or below. */
function percentileOf(values: readonly number[], percent: number): number | null {
  const ordered = values.toSorted((one, other) => one - other);
  return ordered.find((_, index) => (index + 1) * 100 >= percent * ordered.length) ?? null;
}

/** So much of what each part's whole stretch has. */
function spreadOver(parts: readonly Part[], all: (part: Part) => number): number {
  return parts.reduce((total, part) => {
    const [from, until] = partOf(part, all(part));
    if (part.playMs === 0) return total;
    return total + Math.floor(((until - from) * part.countedMs) / part.playMs);
  }, 0);
}

function bitsOf(played: readonly Part[]) {
  const ofBits = played.filter(({ quality }) => (quality?.mediaBits ?? 0) > 0);
  return {
    bits: spreadOver(ofBits, ({ quality }) => quality?.mediaBits ?? 0),
    ms: spreadOver(ofBits, ({ details }) => details?.mediaMs ?? 0),
  };
}

/** Section 2 of the quality interface, of everything played and waited for in a row. */
function qualityOf(all: readonly Part[], nowMs: number): Values {
  const { played, waits, over } = told(all, nowMs);
  const ofCause = (cause: string) => over.filter((wait) => wait.cause === cause);
  const sumOf = (some: readonly { waitMs: number }[]) =>
    some.reduce((total, { waitMs }) => total + waitMs, 0);
  const viewsOf = (some: readonly { view: string }[]) => new Set(some.map(({ view }) => view)).size;
  const endedBy = (outcome: string) =>
    ofCause('start').filter((wait) => wait.outcome === outcome).length;
  const started = ofCause('start').filter(({ outcome }) => outcome === 'played');
  const percentile = (percent: number) =>
    percentileOf(
      started.map(({ waitMs }) => waitMs),
      percent,
    );
  const attempts = waits.filter(({ cause }) => cause === 'start').length;
  const views = new Set([...played.map(viewOf), ...over.map(({ view }) => view)]).size;
  const playMs = played.reduce((total, { countedMs }) => total + countedMs, 0);
  const stalls = ofCause('stall');
  const waitedMs = sumOf(over.filter(({ cause }) => cause !== 'error'));
  const failures = viewsOf(over.filter(({ outcome }) => outcome === 'failed'));
  const { bits, ms } = bitsOf(played);
  const frames = spreadOver(played, ({ quality }) => quality?.frames ?? 0);
  const dropped = spreadOver(played, ({ quality }) =>
    Math.min(quality?.droppedFrames ?? 0, quality?.frames ?? 0),
  );
  return {
    attempts,
    starts: started.length,
    exitsBeforeStart: endedBy('left'),
    exitShare: quotient(endedBy('left'), attempts, 4),
    startFailures: endedBy('failed'),
    startFailureShare: quotient(endedBy('failed'), attempts, 4),
    failures,
    failureShare: quotient(failures, views, 4),
    startupMs: quotient(sumOf(started), started.length, 0),
    startupP50: percentile(50),
    startupP75: percentile(75),
    startupP95: percentile(95),
    startupP99: percentile(99),
    stalls: stalls.length,
    stallsPerHour: quotient(stalls.length * hourMs, playMs, 4),
    stalledViews: viewsOf(stalls),
    stalledShare: quotient(viewsOf(stalls), views, 4),
    stallMs: sumOf(stalls),
    stalledTimeShare: quotient(sumOf(stalls), waitedMs + playMs, 4),
    seekMs: quotient(sumOf(ofCause('seek')), ofCause('seek').length, 0),
    bitrate: quotient(bits, ms, 0),
    droppedShare: quotient(dropped, frames, 4),
  };
}

/** The last power of ten from which a bucket goes on without an end. */
const lastPower: Record<string, number> = { startupMs: 6, stallMs: 7, bitrate: 6, playMs: 8 };

function bucketsOf(measure: string): [from: number, to: number | null][] {
  if (measure === 'seen') {
    return Array.from({ length: 20 }, (_, place) => [place / 20, (place + 1) / 20]);
  }
  const tenths = Array.from({ length: ((lastPower[measure] ?? 0) - 1) * 10 + 1 }, (_, at) => at);
  const bounds = [0, ...tenths.map((at) => Math.round(10 * 10 ** (at / 10)))];
  return bounds.map((from, place) => [from, bounds[place + 1] ?? null]);
}

function viewOf({ packageId, videoId, view }: Fact): string {
  return `${packageId} ${videoId} ${view}`;
}

function viewInSlot({ slotStart, packageId, videoId, view }: Fact): string {
  return JSON.stringify([slotStart, packageId, videoId, view]);
}

/** What is told of a view together. */
const toldTogether = [['browser', 'browserVersion'], ['host', 'page'], ['country'], ['device']];
const toldAlone = [
  'referrer',
  'player',
  'quality',
  ...Array.from({ length: 10 }, (_, at) => `label${at + 1}`),
];

/** The one that explains waiting holds. */
const worstOf = { streamType: ['live', 'vod'], connection: ['slow-2g', '2g', '3g', '4g'] };

/** Each fact with the best that was told of its view. */
function levelled(facts: readonly Fact[]): Fact[] {
  return [...Map.groupBy(facts, viewOf).values()].flatMap((own) => {
    const systems = own.map(({ os, osVersion, systemRank = 1 }) =>
      os === '' || os === 'Unknown'
        ? ['0', 'Unknown', 'Unknown']
        : [String(systemRank), os, osVersion === 'Unknown' ? '' : osVersion],
    );
    const [, os = '', version = ''] = largestOf(systems);
    const told = own.map(({ details }) => (details?.attributes ?? {}) as Record<string, string>);
    const attributes: Record<string, string> = {};
    for (const names of [...toldTogether, ...toldAlone.map((name) => [name])]) {
      const [first = ''] = names;
      // A version of nothing is nothing.
      const known = told.filter((one) => first !== 'browser' || one.browser);
      const best = largestOf(known.map((one) => names.map((name) => one[name] ?? '')));
      names.forEach((name, at) => {
        if (best[at]) attributes[name] = best[at];
      });
    }
    for (const [name, worst] of Object.entries(worstOf)) {
      const value = worst.find((one) => told.some((attributes) => attributes[name] === one));
      if (value) attributes[name] = value;
    }
    const viewer = String(
      own.map(({ details }) => BigInt(details?.viewer ?? 0)).reduce((a, b) => (a > b ? a : b), 0n),
    );
    return own.map((fact) => ({
      ...fact,
      ...{ os, osVersion: version === '' ? 'Unknown' : version },
      details: {
        ...{ startMs: 0, laterMs: 0, mediaMs: 0, ...fact.details, attributes },
        viewer: viewer === '0' ? undefined : viewer,
      },
    }));
  });
}

/** Of each stretch what is told of its first beginning, and of others near it, from there on. */
function ofOneBeginning(facts: readonly Fact[]): Fact[] {
  const byStretch = Map.groupBy(facts, (fact) => `${viewOf(fact)} ${fact.stretch}`);
  return [...byStretch.values()].flatMap((own) => {
    const beginnings = [...new Set(own.map(beginningOf))].sort((one, other) => one - other);
    const [firstMs = 0] = beginnings;
    if (beginnings.length === 1) return own;
    const gap = beginnings.findIndex((ms, at) => ms - (beginnings[at - 1] ?? ms) > 60_000);
    const near = beginnings.slice(0, gap < 0 ? undefined : gap);
    const counted = own.filter((fact) => near.includes(beginningOf(fact)));
    return [...Map.groupBy(counted, ({ suspect }) => suspect).values()].flatMap((some) =>
      continued(some, firstMs),
    );
  });
}

const beginningOf = ({ details }: Fact) => details?.startMs ?? 0;

/** The facts of one stretch, told with several beginnings, as if all had told the first one. */
function continued(told: readonly Fact[], firstMs: number): Fact[] {
  const most = (value: (fact: Fact) => number) => Math.max(0, ...told.map(value));
  const wholeMs = most((fact) => {
    if (fact.playMs === 0) return 0;
    const beforeMs = Math.max(0, fact.slotStart - beginningOf(fact));
    return beforeMs + fact.playMs + (fact.details?.laterMs ?? 0);
  });
  const mediaMs = most(({ details }) => details?.mediaMs ?? 0);
  const atFirst = told.filter((fact) => beginningOf(fact) === firstMs);
  const positions = atFirst.flatMap(({ details }) => details?.position ?? []);
  const position = positions.length > 0 ? Math.max(...positions) : undefined;
  const endMs = firstMs + wholeMs;
  const quality = told.map((fact) => fact.quality).reduce(bestQuality);
  const [any] = told;
  const facts: Fact[] = [];
  let slotStart = Math.floor(firstMs / slotMs) * slotMs;
  do {
    const fromMs = Math.max(firstMs, slotStart);
    const untilMs = Math.min(endMs, slotStart + slotMs);
    const plays = atFirst.some((fact) => fact.slotStart === slotStart && fact.plays > 0) ? 1 : 0;
    const attributes = any?.details?.attributes ?? {};
    facts.push({
      ...(any as Fact),
      ...{ slotStart, plays, playMs: untilMs - fromMs, quality },
      details: {
        ...{ startMs: firstMs, laterMs: endMs - untilMs, mediaMs, position, attributes },
        viewer: any?.details?.viewer,
      },
    });
    slotStart += slotMs;
  } while (slotStart < endMs);
  return facts;
}

function largestOf(values: readonly string[][]): string[] {
  const isLarger = (one: string[], other: string[]) => {
    for (const [at, value] of one.entries()) {
      const order = byParts(value, other[at] ?? '');
      if (order !== 0) return order > 0;
    }
    return false;
  };
  return values.reduce((best, one) => (isLarger(one, best) ? one : best), []);
}

/** Numbers by their value, before texts. */
function byParts(one: string, other: string): number {
  const isNumbers = (text: string) => /^\d+(\.\d+)*$/.test(text);
  if (!isNumbers(one) || !isNumbers(other)) {
    if (one !== '' && other !== '' && isNumbers(one) !== isNumbers(other)) {
      return isNumbers(one) ? -1 : 1;
    }
    return one === other ? 0 : one < other ? -1 : 1;
  }
  const [own, others] = [one.split('.').map(Number), other.split('.').map(Number)];
  for (const [at, number] of own.entries()) {
    if (number !== others[at]) return number - (others[at] ?? -1);
  }
  return own.length - others.length;
}

function kindOf({ details }: Fact): string {
  const kind = BigInt(details?.viewer ?? 0) >> 62n;
  return kind === 2n ? 'named' : kind === 1n ? 'daily' : 'none';
}

function basisOf(parts: readonly Part[]) {
  const kinds = [...Map.groupBy(parts, viewOf).values()].map((some) => some.map(kindOf));
  const named = kinds.filter((some) => some.includes('named')).length;
  const known = kinds.filter((some) => some.some((kind) => kind !== 'none')).length;
  return { named, daily: known - named, none: kinds.length - known };
}

function largest(one: Fact, other: Fact): Fact {
  const details = one.details ?? other.details;
  const also = one.details ? other.details : undefined;
  const most = (first: number | undefined, second: number | undefined) =>
    first === undefined || second === undefined ? (first ?? second) : Math.max(first, second);
  const attributes: Record<string, string> = {};
  for (const given of [details?.attributes ?? {}, also?.attributes ?? {}]) {
    for (const [name, value] of Object.entries(given)) {
      if (typeof value === 'string' && value > (attributes[name] ?? '')) attributes[name] = value;
    }
  }
  const viewers = [details?.viewer, also?.viewer].map((viewer) => BigInt(viewer ?? 0));
  const viewer = viewers.reduce((a, b) => (a > b ? a : b), 0n);
  return {
    ...one,
    plays: Math.max(one.plays, other.plays),
    playMs: Math.max(one.playMs, other.playMs),
    quality: bestQuality(one.quality, other.quality),
    ...(details && {
      details: {
        startMs: most(details.startMs, also?.startMs) ?? 0,
        laterMs: most(details.laterMs, also?.laterMs) ?? 0,
        position: most(details.position, also?.position),
        mediaMs: most(details.mediaMs, also?.mediaMs) ?? 0,
        viewer: viewer === 0n ? undefined : String(viewer),
        attributes,
      },
    }),
  };
}

/** Told differently: the largest number, the last of causes and of outcomes, the largest text. */
function bestQuality(one: Fact['quality'], other: Fact['quality']): Fact['quality'] {
  if (!one || !other) return one ?? other;
  const most = (a: number | undefined, b: number | undefined) => Math.max(a ?? 0, b ?? 0);
  const last = <Text extends string>(texts: readonly string[], a: Text, b: Text) =>
    texts.indexOf(a) > texts.indexOf(b) ? a : b;
  const largestText = (a = '', b = '') => (a > b ? a : b);
  const [own, others] = [one.wait ?? other.wait, other.wait ?? one.wait];
  return {
    mediaBits: most(one.mediaBits, other.mediaBits),
    frames: most(one.frames, other.frames),
    droppedFrames: most(one.droppedFrames, other.droppedFrames),
    mediaHost: largestText(one.mediaHost, other.mediaHost),
    ...(own &&
      others && {
        wait: {
          cause: last(causes, own.cause, others.cause),
          outcome: last(outcomes, own.outcome, others.outcome),
          waitMs: most(own.waitMs, others.waitMs),
          error: largestText(own.error, others.error),
        },
      }),
  };
}

/** Where in the media a part begins and ends, counted from where its stretch began. */
function mediaOf(fact: Fact): [number, number] {
  return partOf(fact, fact.details?.mediaMs ?? 0);
}

/** From where to where a part is of what a stretch has as a whole. */
function partOf({ slotStart, playMs, details }: Fact, all: number): [number, number] {
  if (!details) return [0, 0];
  const { startMs, laterMs } = details;
  const before = startMs === 0 ? 0 : Math.max(0, slotStart - startMs);
  const whole = before + playMs + laterMs;
  if (whole === 0) return [0, 0];
  return [Math.floor((all * before) / whole), Math.floor((all * (before + playMs)) / whole)];
}

/** What of it is before the time of day at which the last day ends; undefined: nothing. */
function cutAt(part: Part, { timeZone, lastDay, lastDayMs }: OracleQuestion): Part | undefined {
  if (lastDayMs === undefined) return part;
  if (clockAt(part.slotStart, timeZone).date !== lastDay) return part;
  const { slotStart, playMs, details } = part;
  const leftMs = lastDayMs - timeOfDayMs(slotStart, timeZone);
  const beganMs = Math.max(slotStart, details?.startMs ?? 0) - slotStart;
  const ownMs = Math.min(playMs, Math.max(0, leftMs - beganMs));
  const plays = beganMs < leftMs ? part.plays : 0;
  const isWait = part.quality?.wait !== undefined;
  if (isWait ? beganMs >= leftMs : plays === 0 && ownMs === 0) return undefined;
  return {
    ...{ ...part, plays, playMs: ownMs, countedMs: Math.min(part.countedMs, ownMs) },
    ...(details && { details: { ...details, laterMs: details.laterMs + playMs - ownMs } }),
  };
}

/** What a clock on the wall shows, as time since midnight. */
function timeOfDayMs(instantMs: number, timeZone: string): number {
  const { hour, minute } = clockAt(instantMs, timeZone);
  return (Number(hour) * 60 + Number(minute)) * 60_000 + (instantMs % 60_000);
}

const times = ['hour', 'date', 'week', 'month', 'year', 'hourOfDay', 'weekday', 'hourOfWeek'];
const formats = new Map<string, Intl.DateTimeFormat>();
const known = new Map<string, { date: string; hour: string; minute: string; offset: string }>();

/** By the platform's own calendar. */
function clockAt(instantMs: number, timeZone: string) {
  const key = `${Math.floor(instantMs / 60_000)} ${timeZone}`;
  const remembered = known.get(key);
  if (remembered) return remembered;
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    });
  formats.set(timeZone, format);
  const parts = Object.fromEntries(
    format.formatToParts(instantMs).map(({ type, value }) => [type, value]),
  );
  const offset = parts.timeZoneName?.slice(3) || '+00:00';
  const clock = {
    date: `${parts.year}-${parts.month}-${parts.day}`,
    hour: parts.hour ?? '',
    minute: parts.minute ?? '',
    offset,
  };
  known.set(key, clock);
  return clock;
}

/** The label of the hour at an instant, and whether it begins then. */
export function hourAt(instantMs: number, timeZone: string) {
  const slot = Math.floor(instantMs / slotMs) * slotMs;
  return {
    label: timeLabel('hour', slot, timeZone),
    begins: hourStart(slot, timeZone) === instantMs,
  };
}

/**
 * When the hour of a slot began: at the slot that shows it in full, or the first one that shows it. A
 * change of the clock may make it come a second time; if then only its end comes, that is no other.
 */
function hourStart(slot: number, timeZone: string): number {
  const { date, hour } = clockAt(slot, timeZone);
  let first = slot;
  for (let ms = slot; ms > slot - 16 * slotMs; ms -= slotMs) {
    const shown = clockAt(ms, timeZone);
    if (shown.date !== date || shown.hour !== hour) continue;
    if (shown.minute === '00') return ms;
    first = ms;
  }
  return first;
}

function timeLabel(name: string, slotStart: number, timeZone: string, laterDays = 0): string {
  const clock = clockAt(slotStart, timeZone);
  const { hour } = clock;
  const isLater = name === 'week' || name === 'month' || name === 'year';
  const laterMs = isLater ? laterDays * dayMs : 0;
  const date = new Date(Date.parse(clock.date) + laterMs).toISOString().slice(0, 10);
  const weekday = new Date(date).getUTCDay() || 7;
  switch (name) {
    case 'hour': {
      const start = clockAt(hourStart(slotStart, timeZone), timeZone);
      return `${date}T${hour}:${start.minute}:00${start.offset}`;
    }
    case 'week':
      return new Date(Date.parse(date) - (weekday - 1) * dayMs).toISOString().slice(0, 10);
    case 'month':
      return `${date.slice(0, 8)}01`;
    case 'year':
      return `${date.slice(0, 5)}01-01`;
    case 'hourOfDay':
      return hour;
    case 'weekday':
      return String(weekday);
    case 'hourOfWeek':
      return `${weekday}-${hour}`;
    default:
      return date;
  }
}

/** Every slot of the range. */
function slotsOf({ firstDay, lastDay, timeZone }: OracleQuestion): number[] {
  const slots: number[] = [];
  const endMs = Date.parse(lastDay) + 2 * dayMs;
  for (let slot = Date.parse(firstDay) - dayMs; slot < endMs; slot += slotMs) {
    const { date } = clockAt(slot, timeZone);
    if (date >= firstDay && date <= lastDay) slots.push(slot);
  }
  return slots;
}

function holds(filter: OracleQuestion['filters'][number], label: string): boolean {
  const [text = ''] = filter.values.map((value) => value.toLowerCase());
  switch (filter.operator) {
    case '==':
      return filter.values.includes(label);
    case '!=':
      return !filter.values.includes(label);
    case '=@':
      return label.toLowerCase().includes(text);
    default:
      return !label.toLowerCase().includes(text);
  }
}

function earlier(question: OracleQuestion): OracleQuestion {
  const range = earlierRange(question);
  const isLater =
    question.dimensions.includes('week') ||
    (question.compare !== 'year' && question.dimensions.some((name) => /month|year/.test(name)));
  const days = (Date.parse(question.firstDay) - Date.parse(range.firstDay)) / dayMs;
  return isLater ? { ...range, later: { days, firstDay: question.firstDay } } : range;
}

function earlierRange(question: OracleQuestion): OracleQuestion {
  const { firstDay, lastDay, compare } = question;
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  if (compare === 'previous' || compare === 'weekdays') {
    const [first, last] = [Date.parse(firstDay), Date.parse(lastDay)];
    let days = (last - first) / dayMs + 1;
    while (compare === 'weekdays' && days % 7 > 0) days += 1;
    return {
      ...question,
      firstDay: day(first - days * dayMs),
      lastDay: day(last - days * dayMs),
      fill: false,
      ...(isToday(question) && { lastDayMs: timeOfDayMs(question.nowMs ?? 0, question.timeZone) }),
    };
  }
  const before = (text: string) => `${Number(text.slice(0, 4)) - 1}${text.slice(4)}`;
  const safe = (text: string) => before(text).replace(/(\d{4})-02-29/, '$1-02-28');
  return { ...question, firstDay: safe(firstDay), lastDay: safe(lastDay), fill: false };
}

function isToday({ lastDay, timeZone, nowMs }: OracleQuestion): boolean {
  return nowMs !== undefined && clockAt(nowMs, timeZone).date === lastDay;
}

/** What a label of two ranges has in common: of a time, how far into the range it is. */
function placeOf(name: string, label: string | number | undefined, question: OracleQuestion) {
  const firstDay = question.later?.firstDay ?? question.firstDay;
  const days = (day: string) => (Date.parse(day) - Date.parse(firstDay)) / dayMs;
  const text = String(label);
  switch (name) {
    case 'hour': {
      const local = text.slice(0, 13);
      const alike = new Set(
        slotsOf({ ...question, firstDay: text.slice(0, 10), lastDay: text.slice(0, 10) })
          .map((slot) => timeLabel('hour', slot, question.timeZone))
          .filter((one) => one.startsWith(local)),
      );
      return `${days(text.slice(0, 10))} ${text.slice(11, 13)} ${[...alike].indexOf(text)}`;
    }
    case 'date':
      return days(text);
    case 'week': {
      const weekday = new Date(firstDay).getUTCDay() || 7;
      return (days(text) + weekday - 1) / 7;
    }
    case 'month':
      return (
        (Number(text.slice(0, 4)) - Number(firstDay.slice(0, 4))) * 12 +
        Number(text.slice(5, 7)) -
        Number(firstDay.slice(5, 7))
      );
    case 'year':
      return Number(text.slice(0, 4)) - Number(firstDay.slice(0, 4));
    default:
      return text;
  }
}

function compareLabels(
  name: string,
  one: string | number | undefined,
  other: string | number | undefined,
): number {
  if (one === other) return 0;
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const orderOf = (label: unknown) => {
    if (name === 'hour') return new Date(String(label)).toISOString() + String(label);
    if (!name.endsWith('Version')) return String(label);
    const parts = String(label).split('.');
    return parts
      .map((part) => (/^\d+$/.test(part) ? `0${part.padStart(20, '0')}` : `1${part}`))
      .join(' ');
  };
  return orderOf(one) < orderOf(other) ? -1 : 1;
}
