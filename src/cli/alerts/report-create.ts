import { readReport } from '../../alerts/rule-parser.ts';
import { ReportFields } from '../../wire/management/reports.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from '../runner/options.ts';
import type { Verb } from '../verb.ts';
import { createRule, receiverOptions } from './rule-options.ts';

/** The field of each option. */
const fields = {
  ...{ name: 'name', every: 'every', weekday: 'weekday', hour: 'hour', measures: 'measures' },
  ...{ dimension: 'dimension', top: 'top', filter: 'filters' },
  ...{ url: 'url', secret: 'secret', 'mail-to': 'mailTo' },
} as const;

export const reportCreate: Verb = {
  words: 'report create',
  summary: 'Send a weekly or monthly report to a webhook, or to people by mail',
  options: {
    account: accountOption,
    name: requiredOption('Its name, which its messages show', 'NAME'),
    every: requiredOption('week or month', 'P'),
    measures: requiredOption('Measures, separated by commas, as in query', 'M'),
    dimension: optionalOption('Also show the largest rows of this dimension', 'D'),
    top: optionalOption('Rows at most; default: 10', 'N'),
    weekday: optionalOption('Day on which weeks begin, 1 (Monday, default) to 7', 'N'),
    hour: optionalOption("Hour, by the account's clock, from which it is sent; default: 6", 'H'),
    filter: optionalOption('Only where these conditions hold, as in query', 'F'),
    ...receiverOptions,
    json: jsonOption,
  },
  run: (given, parts) =>
    createRule(given, parts, {
      subject: 'report',
      fields,
      read: (given, asker, desk) => readReport(checkMessage(ReportFields, given), asker, desk),
    }),
};
