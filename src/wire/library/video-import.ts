/** The list of videos that is imported by one message, and what became of it. */
import Type, { type Static } from 'typebox';

const mostCharacters = 900_000;
/** With the header. Each is at most one refusal in the answer. */
export const mostImportLines = 10_001;

const id = (description: string) =>
  Type.Integer({ description, minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [1] });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const VideosImport = Type.Object(
  {
    csv: Type.String({
      minLength: 1,
      maxLength: mostCharacters,
      description:
        'CSV (RFC 4180) with a header, at most 10,000 lines after it. The columns are the fields ' +
        'of a video, and `folderName` and `thumbnailUrl`; `title` is needed, and `accessKey` or ' +
        '`cid` to identify the video',
      examples: ['cid,title,duration\nriver-1,A walk along the river,125000\n'],
    }),
    folderId: Type.Optional(id('Folder of the rows that name none')),
    packageId: Type.Optional(id('Package to put the videos into')),
  },
  { title: 'VideosImport', additionalProperties: false },
);
export type VideosImport = Static<typeof VideosImport>;

export const VideosImported = Type.Object(
  {
    imported: count('Videos that are new, or changed by their row'),
    unchanged: count('Videos that were there exactly as given'),
    refused: count('Rows that were not imported'),
    refusals: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ minimum: 1, description: 'Line where the row begins, from 1' }),
          reason: Type.String({ description: 'What is wrong with it' }),
        },
        { title: 'RefusedRow', additionalProperties: false },
      ),
      { description: 'One for each refused row, in order' },
    ),
  },
  { title: 'VideosImported', additionalProperties: false },
);
export type VideosImported = Static<typeof VideosImported>;
