import type { FastifyInstance } from 'fastify';
import type { Decision } from '../../../catalog/catalog.ts';
import type { KnownSuspect, Suspects } from '../../../collect/abuse/quarantine.ts';
import { accepted } from '../../../operations/refusal-faults.ts';
import { checkRange } from '../../../query/parse/question-parser.ts';
import {
  SuspectList,
  SuspectPath,
  type SuspectRecord,
  SuspectsRequest,
  VerdictFields,
  VerdictRecord,
} from '../../../wire/management/suspect-messages.ts';
import { pageOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

const url = '/manage/v1/suspects';

export interface SuspectParts extends ManageParts {
  readonly suspects: Pick<Suspects, 'list' | 'decide'>;
}

export function addSuspectRoutes(app: FastifyInstance, parts: SuspectParts): void {
  addManageRoute(
    app,
    parts,
    {
      method: 'GET',
      url,
      operationId: 'suspects',
      summary: 'List playback that was set apart as unusual',
      description:
        'A suspect is all playback that was set apart for one reason, on one day, from one ' +
        'address or viewer or of one video. It is stored, but counts only if it is accepted. ' +
        'Lists at most 10,000 suspects, those with the most playback time first.',
      query: SuspectsRequest,
      check: ({ sdate, edate }) => checkRange(sdate, edate),
      answers: { 200: SuspectList },
      faults: ['UNAVAILABLE'],
    },
    async ({ caller: { accountId }, catalog, query }) => {
      const { sdate: firstDay, edate: lastDay } = query;
      const found = await parts.suspects.list(catalog, { accountId, firstDay, lastDay });
      return { status: 200, body: pageOf(found.map(recordOf), query) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      method: 'PUT',
      url: `${url}/:suspect`,
      operationId: 'decideSuspect',
      summary: 'Accept or refuse playback that was set apart',
      description:
        'When the answer is sent, the statistics follow the verdict: accepting adds the playback ' +
        'of the suspect, refusing removes exactly that. Playback of the same suspect that ' +
        'arrives later follows the verdict too. You can decide again at any time.',
      path: SuspectPath,
      body: VerdictFields,
      answers: { 200: VerdictRecord },
      faults: ['CONFLICT', 'UNAVAILABLE'],
    },
    async ({ caller: { accountId }, catalog, path: { suspect }, body: { verdict } }) => {
      const decision = accepted(
        await parts.suspects.decide(catalog, { accountId, suspect }, verdict),
      );
      return { status: 200, body: { suspect, ...verdictOf(decision) } };
    },
  );
}

function recordOf({ fromMs, untilMs, decision, ...suspect }: KnownSuspect): SuspectRecord {
  return {
    ...suspect,
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    ...verdictOf(decision),
  };
}

function verdictOf(decision: Decision | undefined) {
  return {
    verdict: decision?.verdict ?? null,
    decidedAt: decision?.at.toISOString() ?? null,
    decidedBy: decision?.actor ?? null,
  };
}
