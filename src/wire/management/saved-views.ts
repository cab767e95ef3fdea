/** /manage/v1/views: views of the dashboard that are kept under a name. */
import Type, { type Static } from 'typebox';
import { createList, instant, named } from '../management-messages.ts';

const viewId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Id of the saved view',
  examples: [1],
});
const name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Name of the view',
  examples: ['Korea, phones'],
});
/** Nothing else: it becomes a link. */
const page = Type.String({
  pattern: '^/(quality|now|library|videos/[A-Za-z0-9%._~-]{1,600})?$',
  description: 'Page of the dashboard: `/` (the overview), `/quality`, `/videos/KEY`, ...',
  examples: ['/quality'],
});
const query = Type.String({
  maxLength: 6_000,
  pattern: '^[!-"$-~]*$',
  description:
    "What stands behind the question mark of the page's URL: period, filters, measure, comparison",
  examples: ['period=90d&filters=country%3D%3DKR'],
});
const whoSees = 'Whether all members see it, except those who are narrowed to packages';
const shared = Type.Boolean({ description: whoSees });

export const SavedViewRecord = Type.Object(
  {
    ...{ viewId, name, page, query, shared },
    createdAt: instant('When it was saved'),
    createdBy: Type.String({ description: 'Who saved it, as in the audit' }),
    createdByName: Type.String({
      description: 'The name of the key, the person or the system user',
    }),
  },
  named('SavedView'),
);
export type SavedViewRecord = Static<typeof SavedViewRecord>;
export const SavedViewFields = Type.Object(
  {
    ...{ name, page },
    query: Type.Optional({ ...query, default: '' }),
    shared: Type.Optional({
      ...shared,
      description: `${whoSees}. What a key or the command line saves is always shared`,
      default: false,
    }),
  },
  named('SavedViewFields'),
);
export const SavedViewChanges = Type.Object(
  {
    name: Type.Optional(name),
    page: Type.Optional(page),
    query: Type.Optional(query),
    shared: Type.Optional(shared),
  },
  named('SavedViewChanges'),
);
export const SavedViewList = createList('SavedViewList', SavedViewRecord);
