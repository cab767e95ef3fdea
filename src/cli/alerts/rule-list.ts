import { recordOfAlert, recordOfReport } from '../../operations/rules.ts';
import { accountOption, jsonOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const alertList: Verb = {
  words: 'alert list',
  summary: 'List the alerts of an account',
  options: { account: accountOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async ({ rules }) => {
      const list = (await rules.list(given.id('account'), 'alert')).map(recordOfAlert);
      const lines = list.map((alert) => {
        const { alertId, name, kind, isFiring, judgedThrough } = alert;
        const state = isFiring ? 'firing' : 'quiet';
        return [alertId, name, kind, state, judgedThrough, receiversOf(alert)].join('\t');
      });
      return { json: { alertList: list }, lines };
    }),
};

export const reportList: Verb = {
  words: 'report list',
  summary: 'List the scheduled reports of an account',
  options: { account: accountOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async ({ rules }) => {
      const list = (await rules.list(given.id('account'), 'report')).map(recordOfReport);
      const lines = list.map((report) => {
        const { reportId, name, every, reportedThrough } = report;
        return [reportId, name, every, reportedThrough, receiversOf(report)].join('\t');
      });
      return { json: { reportList: list }, lines };
    }),
};

function receiversOf({ url, mailTo }: { url: string | null; mailTo: readonly string[] }): string {
  return [...(url === null ? [] : [url]), ...mailTo].join(', ');
}
