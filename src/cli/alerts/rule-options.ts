/** What `alert create` and `report create` share. */

import type { Asker } from '../../alerts/evaluation/figures.ts';
import type { ReadRule, RuleContext } from '../../alerts/rule-parser.ts';
import type { CatalogParts, RuleSubject } from '../../catalog/catalog.ts';
import { accepted, found } from '../../operations/refusal-faults.ts';
import { declaredLabels } from '../../query/parse/declared-labels.ts';
import type { Arguments } from '../runner/arguments.ts';
import {
  type FieldsByOption,
  fieldsFrom,
  namingOptions,
  type Readers,
  readTexts,
} from '../runner/message-options.ts';
import { optionalOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Outcome, Parts } from '../verb.ts';

export const receiverOptions = {
  url: optionalOption('Webhook that messages are posted to', 'URL'),
  secret: optionalOption('Secret to sign them with; default: a new one, shown only once', 'WHSEC'),
  'mail-to': optionalOption('Mail addresses, separated by commas', 'ADDRESSES'),
};

const number = (given: Arguments, option: string) => given.number(option);
const readers: Readers = {
  ...{ above: number, below: number, percent: number, weeks: number, atLeast: number },
  ...{ minutes: number, weekday: number, hour: number, top: number, mailTo: readTexts },
};

interface Creation {
  readonly subject: RuleSubject;
  readonly fields: FieldsByOption;
  /** Faults with what is wrong with the fields. */
  read(given: Record<string, unknown>, asker: Asker, desk: RuleContext): ReadRule;
}

/** Shows the id of the rule, and its secret unless it was given. */
export function createRule(
  given: Arguments,
  parts: Parts,
  { subject, fields, read }: Creation,
): Promise<Outcome> {
  return withCatalog(parts, async (catalog) => {
    const asker = await askerOf(catalog, given.id('account'));
    const desk = await parts.ruleContext();
    const { rule, secret } = namingOptions(fields, () =>
      read(fieldsFrom(given, fields, readers), asker, desk),
    );
    const made = await catalog.rules.create(rule);
    const { ruleId } = namingOptions(fields, () => accepted(made));
    const lines = [`Created ${subject} ${ruleId}`, ...(secret === undefined ? [] : [secret])];
    return { json: { [`${subject}Id`]: ruleId, secret: secret ?? null }, lines };
  });
}

/** Whose statistics a rule reads. */
async function askerOf(
  { accounts, labels }: Pick<CatalogParts, 'accounts' | 'labels'>,
  accountId: number,
) {
  const { timeZone } = found(await accounts.find(accountId), 'NO_ACCOUNT');
  return { accountId, timeZone, labels: await declaredLabels(labels, accountId) };
}
