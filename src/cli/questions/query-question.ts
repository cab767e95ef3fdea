/** What the verbs that ask a question of the audience share: their options and the question. */
import { declaredLabels } from '../../query/parse/dimension-parser.ts';
import type { Query } from '../../query/parse/query.ts';
import { readQuery } from '../../query/parse/query-parser.ts';
import type { QuestionContext } from '../../query/question-context.ts';
import { recordedDimensions } from '../../vocabulary/dimensions.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { audienceMeasureNames } from '../../vocabulary/measures.ts';
import type { Arguments } from '../runner/arguments.ts';
import { byOptions, type Option, optionalOption, requiredOption } from '../runner/options.ts';

/** The parameter of each option. */
export const questionParameters = {
  from: 'sdate',
  to: 'edate',
  measures: 'measures',
  by: 'dimensions',
  filter: 'filters',
  sort: 'sort',
  compare: 'compare',
  fill: 'fill',
  package: 'packageId',
  'access-key': 'accessKey',
  'time-zone': 'timeZone',
} as const;

export const measuresOption: Option = requiredOption(
  `One to ten of ${audienceMeasureNames.join(', ')}`,
  'A,B',
);

export const questionOptions: Record<string, Option> = {
  by: optionalOption(
    `Up to three of ${recordedDimensions.join(', ')}, label.NAME; default: one row`,
    'D,E',
  ),
  filter: optionalOption('Conditions joined by ";": NAME==a,b NAME!=a NAME=@text NAME!@text', 'F'),
  sort: optionalOption('Measure or dimension to sort by; "-" before it: descending', 'S'),
  compare: optionalOption('The range to compare with: previous, weekdays or year', 'C'),
  fill: optionalOption('zero: list intervals without playback too', 'zero'),
  package: optionalOption('Only this package', 'ID'),
  'access-key': optionalOption('Only this video, by its original key', 'K'),
  'time-zone': optionalOption("Zone of days and hours; default: the account's", 'ZONE'),
};

export async function readAsked(
  given: Arguments,
  accountId: number,
  { catalog }: QuestionContext,
): Promise<Query> {
  const account = await catalog.accounts.find(accountId);
  if (!account) throw new Fault('NOT_FOUND', `There is no account ${accountId}`);
  const named = Object.entries(questionParameters).flatMap(([option, parameter]) =>
    given.has(option) ? [[parameter, given.text(option)]] : [],
  );
  try {
    const labels = await declaredLabels(catalog.labels, accountId);
    return readQuery(Object.fromEntries(named), { ...account, labels });
  } catch (error) {
    throw byOptions(error, questionParameters);
  }
}
