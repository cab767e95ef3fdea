/** Who saw how much of one video, or of all videos in a package: viewers whom pages name. */
import type { Catalog, KnownVideo } from '../../catalog/catalog.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { forPortions } from '../../lib/tasks/work-portions.ts';
import { boundArray, type FactQuery, mediaOfPart } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { createPseudonym, isNamedSql } from '../../vocabulary/viewers.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { mostRows } from '../../wire/questions/audience-messages.ts';
import type { ViewerRow, ViewersOrder, ViewersTotals } from '../../wire/questions/viewers.ts';
import { lengthOfVideo } from '../compile/views-sql.ts';
import type { ViewersQuestion } from '../parse/curve-question.ts';
import { playback } from '../plan/counts.ts';
import { playedVideos } from '../plan/played-videos.ts';
import {
  bindFacts,
  type CurveSources,
  type FactScope,
  factsOfQuestion,
  findCounted,
  type QuestionFacts,
  selectFacts,
} from '../plan/question-facts.ts';
import { tooManyRows } from '../present/zero-rows.ts';
import { areMany, partFromMs } from '../ranges/counted-facts.ts';
import { halfUp } from '../ranges/rounding.ts';
import { createPagedAnswers, type PagedAnswers, type PageSources } from '../run/answer-pages.ts';
import { atMoment } from '../run/moment.ts';

interface About {
  readonly totals: ViewersTotals;
}

interface WholeViewers extends About {
  readonly rows: readonly ViewerRow[];
}

/** FORBIDDEN unless the account's mode of viewers is `named`. */
export type ViewersService = PagedAnswers<ViewersQuestion, About, ViewerRow>;

interface ViewersSources extends PageSources {
  readonly facts: CurveSources['facts'];
  readonly catalog: CurveSources['catalog'] & Pick<Catalog, 'accounts' | 'snapshots'>;
  /** The number of a viewer whom pages name so. */
  readonly namedViewer: (accountId: number, name: string) => string;
}

export function createViewersService(sources: ViewersSources): ViewersService {
  const answers = createPagedAnswers<ViewersQuestion, About, ViewerRow>(
    sources,
    async (question) => {
      const { accountId } = question;
      await requireNamed(sources.catalog, accountId);
      return atMoment(accountId, sources, () => readViewers(question, sources));
    },
  );
  return {
    ...answers,
    async continue(request, of) {
      await requireNamed(sources.catalog, of.accountId);
      return answers.continue(request, of);
    },
  };
}

/** The mode that says by its name that people are told apart. */
async function requireNamed({ accounts }: ViewersSources['catalog'], accountId: number) {
  const account = await accounts.find(accountId);
  if (account?.viewers === 'named') return;
  throw new Fault(
    'FORBIDDEN',
    'Viewers are listed where the account tells them apart by name alone: set `viewers` to `named`',
  );
}

const nothing: WholeViewers = { rows: [], totals: { viewers: 0, completed: 0, videos: 0 } };

async function readViewers(
  question: ViewersQuestion,
  sources: ViewersSources,
): Promise<WholeViewers> {
  const { accountId, names, packageId, packageIds } = question;
  const { facts, namedViewer } = sources;
  const asked = await factsOfQuestion(question, sources);
  if (asked === undefined) return nothing;
  // Not even how many videos a package outside has may be known.
  const isOutside = packageId !== undefined && packageIds?.includes(packageId) === false;
  if (isOutside) return nothing;
  const { lengths, videos } = await readLengths(question, asked, sources);
  if (videos === 0) return nothing;
  const namesOf = new Map(names?.map((name) => [namedViewer(accountId, name), name]));
  const source = await findCounted(asked, facts);
  const query = selectViewers(source, question, { lengths, asked: names && [...namesOf.keys()] });
  const read = await facts.readMany<StoredRow>(query);
  if (read.length > mostRows) throw tooManyRows(`more than ${mostRows}`, 'names');
  const rows: ViewerRow[] = [];
  let completed = 0;
  await forPortions(read, { size: 2_000, takeTurn: nextTurn }, (portion) => {
    for (const row of portion) {
      rows.push(presentRow(row, namesOf.get(row.viewer) ?? null));
      if (Number(row.completed) >= videos) completed += 1;
    }
  });
  return { rows, totals: { viewers: rows.length, completed, videos } };
}

/** Of the videos that were played, and how many there are to complete. */
async function readLengths(
  { accountId, accessKey, packageId }: ViewersQuestion,
  { spans, videoId }: FactScope,
  { facts, catalog }: ViewersSources,
): Promise<{ readonly lengths: readonly KnownVideo[]; readonly videos: number }> {
  const { videos, publications } = catalog;
  if (videoId !== undefined) {
    const lengths = await videos.known(accountId, [videoId]);
    const isKnown = lengths.some(({ durationMs }) => durationMs > 0);
    if (isKnown) return { lengths, videos: 1 };
    const detail = `names a video without a length: set the duration of ${accessKey} first`;
    throw parameterFault([{ parameter: 'accessKey', detail }]);
  }
  if (packageId === undefined) return { lengths: [], videos: 0 };
  const played = await playedVideos({ facts, videos }, { accountId, spans });
  const inPackage = new Set<number>();
  await forPortions(played, { size: 500, takeTurn: nextTurn }, async (portion) => {
    const ids = portion.map((video) => video.videoId);
    const counts = await publications.countByVideo(accountId, ids, [packageId]);
    for (const id of counts.keys()) inPackage.add(id);
  });
  return {
    lengths: played.filter((video) => video.durationMs > 0 && inPackage.has(video.videoId)),
    videos: await publications.countWithLength(accountId, packageId),
  };
}

/** Numbers as text, for any size. */
interface StoredRow {
  readonly viewer: string;
  readonly videos: string;
  readonly completed: string;
  readonly seenMs: string;
  readonly lengthMs: string;
  readonly lastMs: string;
}

interface Selecting {
  readonly lengths: readonly KnownVideo[];
  /** Undefined: all viewers. */
  readonly asked: readonly string[] | undefined;
}

const orderSql: Readonly<Record<ViewersOrder, string>> = {
  completed: 'completedVideos',
  seen: 'seenShare',
  videos: 'playedVideos',
  lastSeen: 'lastMsOfAll',
};

/** A row for each viewer; what they saw of a video is the union of all their views of it. */
function selectViewers(
  source: QuestionFacts,
  { order, isDescending }: Pick<ViewersQuestion, 'order' | 'isDescending'>,
  { lengths, asked }: Selecting,
): FactQuery {
  const length = lengthOfVideo(lengths);
  const viewers = asked && boundArray('viewers', 'String', asked);
  const ofAsked = viewers ? ` AND has(arrayMap(toUInt64, ${viewers.sql}), viewer)` : '';
  const withoutPlayback = viewers
    ? `
UNION ALL
SELECT arrayJoin(arrayMap(toUInt64, ${viewers.sql})) AS viewer, toUInt32(0) AS videoId,
  toUInt64(0) AS length, toUInt64(0) AS seen, toUInt8(0) AS isPositioned, toInt64(0) AS endMs`
    : '';
  const at = (place: string) =>
    `toUInt64(if(position > 0, least(position - 1 + ${place}, videoLength), 0))`;
  const sql = `SELECT toString(viewer) AS viewer, toString(playedVideos) AS videos,
  toString(completedVideos) AS completed, toString(seenOfAll) AS seenMs,
  toString(lengthOfAll) AS lengthMs, toString(lastMsOfAll) AS lastMs
FROM (
SELECT viewer, countIf(videoId > 0) AS playedVideos,
  countIf(isPositioned AND seen * 100 >= length * 95) AS completedVideos,
  sumIf(toUInt128(seen), isPositioned) AS seenOfAll,
  sumIf(toUInt128(length), isPositioned) AS lengthOfAll,
  max(endMs) AS lastMsOfAll,
  if(lengthOfAll = 0, 0, seenOfAll / lengthOfAll) AS seenShare
FROM (
SELECT viewer, videoId, any(videoLength) AS length,
  intervalLengthSumIf(rangeFrom, rangeUntil, position > 0) AS seen,
  toUInt8(max(position > 0)) AS isPositioned, max(partEndMs) AS endMs
FROM (
SELECT viewer, videoId, position, ${length.sql} AS videoLength,
  ${at('mediaFrom')} AS rangeFrom, ${at('mediaUntil')} AS rangeUntil,
  greatest(${partFromMs}, toInt64(toUnixTimestamp(slot)) * 1000) + toInt64(playMs) AS partEndMs
FROM (
SELECT *, ${mediaOfPart.join(', ')} FROM (
${selectFacts(source)}
)
WHERE ${playback} AND ${isNamedSql('viewer')}${ofAsked}
)
WHERE videoLength > 0
)
GROUP BY viewer, videoId${withoutPlayback}
)
GROUP BY viewer
)
ORDER BY ${orderSql[order]} ${isDescending ? 'DESC' : 'ASC'}, viewer
LIMIT ${mostRows + 1}`;
  const parameters = { ...bindFacts(source), ...length.parameters, ...viewers?.parameters };
  return { name: 'viewers', sql, parameters, isCostly: areMany(source) };
}

function presentRow(row: StoredRow, name: string | null): ViewerRow {
  const [seenMs, lengthMs] = [BigInt(row.seenMs), BigInt(row.lengthMs)];
  const lastMs = Number(row.lastMs);
  return {
    ...{ viewer: createPseudonym(row.viewer), name },
    ...{ videos: Number(row.videos), completed: Number(row.completed) },
    seen: lengthMs === 0n ? null : halfUp(seenMs, lengthMs, 4),
    lastSeen: lastMs === 0 ? null : new Date(lastMs).toISOString(),
  };
}
