import { accepted } from '../../operations/refusal-faults.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const alertDelete: Verb = {
  words: 'alert delete',
  summary: 'Delete an alert, and its messages that are not delivered yet',
  options: { account: accountOption, alert: requiredOption('Alert id', 'ID'), json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async ({ rules }) => {
      const [accountId, alertId] = [given.id('account'), given.id('alert')];
      accepted(await rules.delete({ accountId, ruleId: alertId, subject: 'alert' }));
      return { json: { alertId }, lines: [`Deleted alert ${alertId}`] };
    }),
};

export const reportDelete: Verb = {
  words: 'report delete',
  summary: 'Delete a scheduled report, and its messages that are not delivered yet',
  options: { account: accountOption, report: requiredOption('Report id', 'ID'), json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async ({ rules }) => {
      const [accountId, reportId] = [given.id('account'), given.id('report')];
      accepted(await rules.delete({ accountId, ruleId: reportId, subject: 'report' }));
      return { json: { reportId }, lines: [`Deleted report ${reportId}`] };
    }),
};
