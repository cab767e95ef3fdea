import { readAlert } from '../../alerts/rule-parser.ts';
import { AlertFields } from '../../wire/management/alerts.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from '../runner/options.ts';
import type { Verb } from '../verb.ts';
import { createRule, receiverOptions } from './rule-options.ts';

/** The field of each option. */
const fields = {
  ...{ name: 'name', kind: 'kind', measure: 'measure', per: 'per', above: 'above' },
  ...{ below: 'below', percent: 'percent', weeks: 'weeks', 'at-least': 'atLeast' },
  ...{ minutes: 'minutes', filter: 'filters', url: 'url', secret: 'secret', 'mail-to': 'mailTo' },
} as const;

export const alertCreate: Verb = {
  words: 'alert create',
  summary: 'Notify a webhook, or people by mail, when something happens',
  options: {
    account: accountOption,
    name: requiredOption('Its name, which its messages show', 'NAME'),
    kind: requiredOption('threshold, drop or silence', 'KIND'),
    measure: optionalOption('threshold, drop: what is measured, as in query', 'M'),
    per: optionalOption('threshold, drop: hour or day (default)', 'P'),
    above: optionalOption('threshold: the measure is larger than this', 'X'),
    below: optionalOption('threshold: the measure is smaller than this', 'X'),
    percent: optionalOption('drop: lower by this many percent or more', 'N'),
    weeks: optionalOption('drop: weeks whose average it is compared with; default: 4', 'N'),
    'at-least': optionalOption('drop: only if at least this was expected', 'X'),
    minutes: optionalOption('silence: nothing played for this many minutes', 'N'),
    filter: optionalOption('Only where these conditions hold, as in query', 'F'),
    ...receiverOptions,
    json: jsonOption,
  },
  run: (given, parts) =>
    createRule(given, parts, {
      subject: 'alert',
      fields,
      read: (given, asker, desk) => readAlert(checkMessage(AlertFields, given), asker, desk),
    }),
};
