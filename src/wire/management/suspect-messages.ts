/** /manage/v1/suspects: playback that was set apart, and what is decided about it. */
import Type, { type Static } from 'typebox';
import { suspectReasonCodes } from '../../vocabulary/suspects.ts';
import { LedgerRequest } from '../beacons/ledger.ts';
import { createList, PageRequest } from '../management-messages.ts';

const number = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const instant = (description: string) => Type.String({ format: 'date-time', description });

export const SuspectsRequest = Type.Object({
  sdate: { ...LedgerRequest.properties.sdate, description: 'First day (UTC) of the playback' },
  edate: { ...LedgerRequest.properties.edate, description: 'Last day (UTC) of the playback' },
  ...PageRequest.properties,
});

export const SuspectPath = Type.Object({
  suspect: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Id of the suspect',
    examples: ['ADDRESS:2026-11-22:9f3c1a0b2d4e5f60'],
  }),
});

const verdict = Type.Enum(['accepted', 'refused'], {
  description: '`accepted`: its playback counts. `refused`: it does not',
});

export const VerdictFields = Type.Object({ verdict }, { title: 'VerdictFields' });

const decision = {
  verdict: Type.Union([verdict, Type.Null()], {
    description: 'The last verdict; null: none yet, so its playback does not count',
  }),
  decidedAt: Type.Union([instant('When it was decided'), Type.Null()]),
  decidedBy: Type.Union([Type.String(), Type.Null()], {
    description: 'Who decided, as in the audit: `KEY:` and the id of the key, or `COMMAND_LINE`',
  }),
};

export const SuspectRecord = Type.Object(
  {
    suspect: SuspectPath.properties.suspect,
    reason: Type.Enum(suspectReasonCodes, { description: 'Why the playback was set apart' }),
    day: Type.String({ format: 'date', description: 'Day (UTC) on which it arrived' }),
    subject: Type.String({
      description:
        'For `VIDEO` and `LENGTH` the id of the video, for `UNSIGNED` that of the package ' +
        'or, beyond a limit, a hash; for `ADDRESS` and `VIEWER` a hash that changes every day',
    }),
    video: Type.Optional(
      Type.String({ description: 'For `VIDEO` and `LENGTH` the access key of the video' }),
    ),
    videoTitle: Type.Optional(Type.String({ description: 'And its title' })),
    from: instant('Start of its first quarter of an hour in the requested days'),
    until: instant('End of its last quarter of an hour in the requested days'),
    views: number('Views in these days'),
    videos: number('Videos in these days'),
    plays: number('Plays in these days'),
    playMs: number('Playback time in these days, in milliseconds'),
    ...decision,
  },
  { title: 'Suspect', additionalProperties: false },
);
export type SuspectRecord = Static<typeof SuspectRecord>;
export const SuspectList = createList('SuspectList', SuspectRecord);

export const VerdictRecord = Type.Object(
  { suspect: SuspectPath.properties.suspect, ...decision },
  { title: 'Verdict', additionalProperties: false },
);
