/** Playback that was set apart. The verbs about it open the facts: cli/suspects.ts. */
import type { Catalog, Decision } from '../catalog/catalog.ts';
import type { KnownSuspect } from '../collect/abuse/quarantine.ts';
import { checkRange } from '../query/parse/range-parser.ts';
import { named } from '../query/plan/played-videos.ts';
import {
  SuspectList,
  SuspectPath,
  type SuspectRecord,
  SuspectsRequest,
  VerdictFields,
  VerdictRecord,
} from '../wire/management/suspect-messages.ts';
import { defineOperation, paginate } from './operation.ts';
import { accepted } from './refusal-faults.ts';

const url = '/manage/v1/suspects';

export const suspects = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'suspects' },
    role: 'manager',
    summary: 'List playback that was set apart as unusual',
    description:
      'A suspect is all playback that was set apart for one reason, on one day, from one ' +
      'address or viewer or of one video. It is stored, but counts only if it is accepted. ' +
      'Lists at most 10,000 suspects, those with the most playback time first.',
    query: SuspectsRequest,
    check: ({ sdate, edate }) => checkRange(sdate, edate),
    answers: { 200: SuspectList },
    faults: ['UNAVAILABLE'],
    serve: async ({ accountId, catalog, service, query }) => {
      const { sdate: firstDay, edate: lastDay } = query;
      const found = await service.suspects.list(catalog, { accountId, firstDay, lastDay });
      const { list, paging } = paginate(found, query);
      return { list: await suspectRecords(catalog, accountId, list), paging };
    },
  }),

  defineOperation({
    ...{ method: 'PUT', url: `${url}/:suspect`, operationId: 'decideSuspect' },
    role: 'manager',
    summary: 'Accept or refuse playback that was set apart',
    description:
      'When the answer is sent, the statistics follow the verdict: accepting adds the playback ' +
      'of the suspect, refusing removes exactly that. Playback of the same suspect that ' +
      'arrives later follows the verdict too. You can decide again at any time.',
    path: SuspectPath,
    body: VerdictFields,
    answers: { 200: VerdictRecord },
    faults: ['CONFLICT', 'UNAVAILABLE'],
    audit: ['SUSPECT_ACCEPTED', 'SUSPECT_REFUSED'],
    serve: async ({ accountId, catalog, service, path: { suspect }, body: { verdict } }) => {
      const name = { accountId, suspect };
      const decision = accepted(await service.suspects.decide(catalog, name, verdict));
      return { suspect, ...toVerdict(decision) };
    },
  }),
];

/** With the videos that they are of, also of those that were deleted. */
export async function suspectRecords(
  { videos }: Pick<Catalog, 'videos'>,
  accountId: number,
  suspects: readonly KnownSuspect[],
): Promise<SuspectRecord[]> {
  const videoIds = new Set(suspects.flatMap(findVideoId));
  const known = await named((some) => videos.known(accountId, some), [...videoIds]);
  const byId = new Map(known.map((video) => [video.videoId, video]));
  return suspects.map((suspect) => {
    const [video] = findVideoId(suspect).map((id) => byId.get(id));
    const about = video && { video: video.accessKey, videoTitle: video.title };
    return { ...toSuspectRecord(suspect), ...about };
  });
}

function findVideoId({ reason, subject }: KnownSuspect): number[] {
  return reason === 'VIDEO' || reason === 'LENGTH' ? [Number(subject)] : [];
}

function toSuspectRecord(known: KnownSuspect): SuspectRecord {
  const { fromMs, untilMs, decision, ...suspect } = known;
  return {
    ...suspect,
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    ...toVerdict(decision),
  };
}

function toVerdict(decision: Decision | undefined) {
  return {
    verdict: decision?.verdict ?? null,
    decidedAt: decision?.at.toISOString() ?? null,
    decidedBy: decision?.actor ?? null,
  };
}
