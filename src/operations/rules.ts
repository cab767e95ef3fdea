/** Alerts and scheduled reports: rules, alike but for their terms. */
import Type from 'typebox';
import type { CatalogParts, Rule, RuleName } from '../catalog/catalog.ts';
import { declaredLabels } from '../query/parse/dimension-parser.ts';
import {
  AlertChanges,
  AlertFields,
  AlertList,
  AlertRecord,
  type AlertTerms,
  NewAlertRecord,
} from '../wire/management/alerts.ts';
import { SentDeliveries } from '../wire/management/deliveries.ts';
import {
  NewReportRecord,
  ReportChanges,
  ReportFields,
  ReportList,
  ReportRecord,
  type ReportTerms,
} from '../wire/management/reports.ts';
import { PageRequest } from '../wire/management-messages.ts';
import { optional, required } from './command-options.ts';
import { toDeliveryRecord } from './deliveries.ts';
import {
  defineOperation,
  paginate,
  type ReadRule,
  type RuleMaker,
  type RunningService,
} from './operation.ts';
import { accepted, found } from './refusal-faults.ts';

const secretOnce =
  'Only this answer contains the secret that its webhook is signed with. The sending key must ' +
  'have the scope `stats:read` and must never expire (`403`): a rule has no end.';
const whenDeleted = 'Messages not delivered yet are given up; those in the log stay there.';

const nameOption = required('name', 'Its name, which its messages show', 'NAME');
const filterOption = optional('filters', 'Only where these conditions hold, as in query', 'F');
const receiverOptions = {
  url: optional('url', 'Webhook that messages are posted to', 'URL'),
  secret: optional(
    'secret',
    'Secret to sign them with; default: a new one, shown only once',
    'WHSEC',
  ),
  'mail-to': optional('mailTo', 'Mail addresses, separated by commas', 'ADDRESSES'),
};

export const rules = [
  defineOperation({
    ...{ method: 'GET', url: '/manage/v1/alerts', operationId: 'alerts' },
    role: 'analyst',
    isPinned: true,
    summary: 'List all alerts',
    query: PageRequest,
    answers: { 200: AlertList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.rules.list(accountId, 'alert')).map(toAlertRecord), query),
    commands: [
      {
        words: 'alert list',
        summary: 'List the alerts of an account',
        options: {},
        show: ({ list }) => ({
          json: { alertList: list },
          lines: list.map((alert) => {
            const { alertId, name, kind, isFiring, isPaused, judgedThrough } = alert;
            const state = isPaused ? 'paused' : isFiring ? 'firing' : 'quiet';
            return [alertId, name, kind, state, judgedThrough, describeReceivers(alert)].join('\t');
          }),
        }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url: '/manage/v1/alerts', operationId: 'addAlert' },
    role: 'analyst',
    isPinned: true,
    summary: 'Create an alert',
    description:
      'Its receivers get a message when its condition begins to hold, and one when it holds no ' +
      `longer. Only complete data is judged: hours and days that are over. ${secretOnce}`,
    body: AlertFields,
    answers: { 201: NewAlertRecord },
    audit: ['ALERT_CREATED'],
    run: async ({ accountId, catalog, services, body }) => {
      const reader = await services.ruleReader();
      const read = reader.readAlert(body, await findMaker(catalog, accountId));
      const made = accepted(await catalog.rules.create(read.rule));
      return { ...toAlertRecord(made), secret: read.secret ?? null };
    },
    commands: [
      {
        words: 'alert create',
        summary: 'Notify a webhook, or people by mail, when something happens',
        options: {
          name: nameOption,
          kind: required('kind', 'threshold, drop or silence', 'KIND'),
          measure: optional('measure', 'threshold, drop: what is measured, as in query', 'M'),
          per: optional('per', 'threshold, drop: hour or day (default)', 'P'),
          above: optional('above', 'threshold: the measure is larger than this', 'X'),
          below: optional('below', 'threshold: the measure is smaller than this', 'X'),
          percent: optional('percent', 'drop: lower by this many percent or more', 'N'),
          weeks: optional(
            'weeks',
            'drop: weeks whose average it is compared with; default: 4',
            'N',
          ),
          'at-least': optional('atLeast', 'drop: only if at least this was expected', 'X'),
          minutes: optional('minutes', 'silence: nothing played for this many minutes', 'N'),
          filter: filterOption,
          ...receiverOptions,
        },
        show: ({ alertId, secret }) => ({
          json: { alertId, secret },
          lines: [`Created alert ${alertId}`, ...(secret === null ? [] : [secret])],
        }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'GET', url: '/manage/v1/reports', operationId: 'reports' },
    role: 'analyst',
    isPinned: true,
    summary: 'List all scheduled reports',
    query: PageRequest,
    answers: { 200: ReportList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.rules.list(accountId, 'report')).map(toReportRecord), query),
    commands: [
      {
        words: 'report list',
        summary: 'List the scheduled reports of an account',
        options: {},
        show: ({ list }) => ({
          json: { reportList: list },
          lines: list.map((report) => {
            const { reportId, name, every, reportedThrough } = report;
            return [reportId, name, every, reportedThrough, describeReceivers(report)].join('\t');
          }),
        }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url: '/manage/v1/reports', operationId: 'addReport' },
    role: 'analyst',
    isPinned: true,
    summary: 'Create a scheduled report',
    description:
      'Its receivers get the totals of each week or month, once all of it is collected, beside ' +
      `those of the one before, and the largest rows of a dimension. ${secretOnce}`,
    body: ReportFields,
    answers: { 201: NewReportRecord },
    audit: ['REPORT_CREATED'],
    run: async ({ accountId, catalog, services, body }) => {
      const reader = await services.ruleReader();
      const read = reader.readReport(body, await findMaker(catalog, accountId));
      const made = accepted(await catalog.rules.create(read.rule));
      return { ...toReportRecord(made), secret: read.secret ?? null };
    },
    commands: [
      {
        words: 'report create',
        summary: 'Send a weekly or monthly report to a webhook, or to people by mail',
        options: {
          name: nameOption,
          every: required('every', 'week or month', 'P'),
          measures: required('measures', 'Measures, separated by commas, as in query', 'M'),
          dimension: optional('dimension', 'Also show the largest rows of this dimension', 'D'),
          top: optional('top', 'Rows at most; default: 10', 'N'),
          weekday: optional('weekday', 'Day on which weeks begin, 1 (Monday, default) to 7', 'N'),
          hour: optional(
            'hour',
            "Hour, by the account's clock, from which it is sent; default: 6",
            'H',
          ),
          filter: filterOption,
          ...receiverOptions,
        },
        show: ({ reportId, secret }) => ({
          json: { reportId, secret },
          lines: [`Created report ${reportId}`, ...(secret === null ? [] : [secret])],
        }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'PATCH', url: '/manage/v1/alerts/:alertId', operationId: 'changeAlert' },
    role: 'analyst',
    isPinned: true,
    summary: 'Change, pause or resume an alert',
    description:
      'What is left out stays as it is; with `kind`, all terms that are not given are the usual ' +
      'ones. With other terms, and after a pause, judging begins anew. ' +
      `A new URL gets a new secret; a replaced one keeps its secret. ${secretOnce}`,
    path: Type.Object({ alertId: AlertRecord.properties.alertId }),
    body: AlertChanges,
    answers: { 200: NewAlertRecord },
    audit: ['ALERT_CHANGED'],
    run: async ({ accountId, catalog, services, path, body }) => {
      const name = { accountId, ruleId: path.alertId, subject: 'alert' as const };
      const maker = await findMaker(catalog, accountId);
      const reader = await services.ruleReader();
      const { changed, secret } = await changeRule(catalog, name, body, (rule, fields) =>
        reader.readAlert(mergeAlert(toAlertRecord(rule), fields), maker),
      );
      return { ...toAlertRecord(changed), secret };
    },
    commands: [
      {
        words: 'alert pause',
        summary: 'Keep an alert, but send nothing of it',
        options: { alert: required('alertId', 'Alert id', 'ID') },
        fixed: { isPaused: true },
        show: ({ alertId }) => ({ json: { alertId }, lines: [`Paused alert ${alertId}`] }),
      },
      {
        words: 'alert resume',
        summary: 'Send messages of a paused alert again, of what comes from now on',
        options: { alert: required('alertId', 'Alert id', 'ID') },
        fixed: { isPaused: false },
        show: ({ alertId }) => ({ json: { alertId }, lines: [`Resumed alert ${alertId}`] }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url: '/manage/v1/alerts/:alertId/test', operationId: 'testAlert' },
    isNotKept: true,
    role: 'analyst',
    isPinned: true,
    summary: 'Send a test of an alert',
    description:
      'To all its receivers, also while it is paused: `alert.test`, with the figures of the last ' +
      'hour, day or minutes that are over.',
    path: Type.Object({ alertId: AlertRecord.properties.alertId }),
    answers: { 200: SentDeliveries },
    audit: ['ALERT_TESTED'],
    serve: async ({ accountId, catalog, service, path }) => {
      const name = { accountId, ruleId: path.alertId, subject: 'alert' as const };
      return sendNow(catalog, service, found(await catalog.rules.find(name), 'NO_ALERT'));
    },
  }),

  defineOperation({
    ...{ method: 'DELETE', url: '/manage/v1/alerts/:alertId', operationId: 'deleteAlert' },
    role: 'analyst',
    isPinned: true,
    summary: 'Delete an alert',
    description: whenDeleted,
    path: Type.Object({ alertId: AlertRecord.properties.alertId }),
    answers: { 204: null },
    audit: ['ALERT_DELETED'],
    run: async ({ accountId, catalog, path }) => {
      await deleteRule(catalog, { accountId, ruleId: path.alertId, subject: 'alert' });
      return path;
    },
    commands: [
      {
        words: 'alert delete',
        summary: 'Delete an alert, and its messages that are not delivered yet',
        options: { alert: required('alertId', 'Alert id', 'ID') },
        show: ({ alertId }) => ({ json: { alertId }, lines: [`Deleted alert ${alertId}`] }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'PATCH', url: '/manage/v1/reports/:reportId', operationId: 'changeReport' },
    role: 'analyst',
    isPinned: true,
    summary: 'Change, pause or resume a scheduled report',
    description:
      'What is left out stays as it is. With other terms, and after a pause, judging begins ' +
      `anew. A new URL gets a new secret; a replaced one keeps its secret. ${secretOnce}`,
    path: Type.Object({ reportId: ReportRecord.properties.reportId }),
    body: ReportChanges,
    answers: { 200: NewReportRecord },
    audit: ['REPORT_CHANGED'],
    run: async ({ accountId, catalog, services, path, body }) => {
      const name = { accountId, ruleId: path.reportId, subject: 'report' as const };
      const maker = await findMaker(catalog, accountId);
      const reader = await services.ruleReader();
      const { changed, secret } = await changeRule(catalog, name, body, (rule, fields) =>
        reader.readReport(mergeReport(toReportRecord(rule), fields), maker),
      );
      return { ...toReportRecord(changed), secret };
    },
    commands: [
      {
        words: 'report pause',
        summary: 'Keep a scheduled report, but send nothing of it',
        options: { report: required('reportId', 'Report id', 'ID') },
        fixed: { isPaused: true },
        show: ({ reportId }) => ({ json: { reportId }, lines: [`Paused report ${reportId}`] }),
      },
      {
        words: 'report resume',
        summary: 'Send messages of a paused report again, of what comes from now on',
        options: { report: required('reportId', 'Report id', 'ID') },
        fixed: { isPaused: false },
        show: ({ reportId }) => ({ json: { reportId }, lines: [`Resumed report ${reportId}`] }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url: '/manage/v1/reports/:reportId/test', operationId: 'testReport' },
    isNotKept: true,
    role: 'analyst',
    isPinned: true,
    summary: 'Send the last report at once',
    description:
      'To all its receivers, also while it is paused: that of the last week or month that is over, ' +
      'whether it was sent before or not.',
    path: Type.Object({ reportId: ReportRecord.properties.reportId }),
    answers: { 200: SentDeliveries },
    audit: ['REPORT_TESTED'],
    serve: async ({ accountId, catalog, service, path }) => {
      const name = { accountId, ruleId: path.reportId, subject: 'report' as const };
      return sendNow(catalog, service, found(await catalog.rules.find(name), 'NO_REPORT'));
    },
  }),

  defineOperation({
    ...{ method: 'DELETE', url: '/manage/v1/reports/:reportId', operationId: 'deleteReport' },
    role: 'analyst',
    isPinned: true,
    summary: 'Delete a scheduled report',
    description: whenDeleted,
    path: Type.Object({ reportId: ReportRecord.properties.reportId }),
    answers: { 204: null },
    audit: ['REPORT_DELETED'],
    run: async ({ accountId, catalog, path }) => {
      await deleteRule(catalog, { accountId, ruleId: path.reportId, subject: 'report' });
      return path;
    },
    commands: [
      {
        words: 'report delete',
        summary: 'Delete a scheduled report, and its messages that are not delivered yet',
        options: { report: required('reportId', 'Report id', 'ID') },
        show: ({ reportId }) => ({ json: { reportId }, lines: [`Deleted report ${reportId}`] }),
      },
    ],
  }),
];

async function findMaker(
  { accounts, labels }: CatalogParts,
  accountId: number,
): Promise<RuleMaker> {
  const { timeZone } = found(await accounts.find(accountId), 'NO_ACCOUNT');
  return { accountId, timeZone, labels: await declaredLabels(labels, accountId) };
}

/**
 * `read`: a rule of the fields that are given and of what it was. It is merged under the rule's
 * lock: of two changes at once, neither writes back what the other replaced.
 */
async function changeRule<Changes extends { readonly isPaused?: boolean; secret?: string | null }>(
  { rules }: Pick<CatalogParts, 'rules'>,
  name: RuleName,
  { isPaused, ...fields }: Changes,
  read: (rule: Rule, fields: Omit<Changes, 'isPaused'>) => ReadRule,
) {
  const isPauseAlone = Object.keys(fields).length === 0;
  let secret: string | undefined;
  const changed = await rules.change(name, (rule) => {
    const pause = isPaused === undefined ? {} : { isPaused };
    if (isPauseAlone) return pause;
    const whole = keepSecret(rule, read(rule, fields), fields.secret);
    secret = whole.secret;
    return { ...whole.rule, ...pause };
  });
  return { changed: accepted(changed), secret: secret ?? null };
}

async function sendNow(
  { rules }: Pick<CatalogParts, 'rules'>,
  service: Pick<RunningService, 'composeMessage'>,
  rule: Rule,
) {
  const sent = accepted(await rules.send(rule, await service.composeMessage(rule)));
  return { list: sent.map(toDeliveryRecord) };
}

/** The terms of a kind that is given replace the others as a whole: no kind takes all of them. */
function mergeAlert(record: AlertRecord, changes: Omit<AlertChanges, 'isPaused'>): AlertFields {
  const { name, url, mailTo, kind, filters } = record;
  const { measure, per, above, below, percent, weeks, atLeast, minutes } = record;
  const numbers = { measure, per, above, below, percent, weeks, atLeast, minutes };
  const given = Object.entries(numbers).filter(([, value]) => value !== null);
  const terms = changes.kind === undefined ? { ...Object.fromEntries(given), filters } : {};
  return { name, url, mailTo, kind, ...terms, ...changes };
}

function mergeReport(record: ReportRecord, changes: Omit<ReportChanges, 'isPaused'>): ReportFields {
  const { name, url, mailTo, every, weekday, hour, measures, dimension, top, filters } = record;
  const terms = { every, weekday, hour, measures, dimension, top, filters };
  return { name, url, mailTo, ...terms, ...changes };
}

/** Of a webhook that there was, unless another is given. */
function keepSecret(
  { url, sealedSecret }: Rule,
  read: ReadRule,
  given: string | null | undefined,
): ReadRule {
  if (url === undefined || read.rule.url === undefined || given) return read;
  return { rule: { ...read.rule, sealedSecret }, secret: undefined };
}

async function deleteRule({ rules }: CatalogParts, name: RuleName): Promise<void> {
  accepted(await rules.delete(name));
}

function describeReceivers({ url, mailTo }: Pick<AlertRecord, 'url' | 'mailTo'>): string {
  return [...(url === null ? [] : [url]), ...mailTo].join(', ');
}

function toAlertRecord(rule: Rule): AlertRecord {
  const terms = rule.terms as AlertTerms;
  return {
    ...{ alertId: rule.ruleId, name: rule.name },
    ...{ measure: null, per: null, above: null, below: null },
    ...{ percent: null, weeks: null, atLeast: null, minutes: null },
    ...terms,
    ...toReceivers(rule),
    isFiring: rule.isFiring,
    judgedThrough: rule.judgedThrough.toISOString(),
    ...toCreation(rule),
  };
}

function toReportRecord(rule: Rule): ReportRecord {
  const { kind: _, measures, ...terms } = rule.terms as ReportTerms;
  return {
    ...{ reportId: rule.ruleId, name: rule.name, ...terms, measures: measures.join(',') },
    ...toReceivers(rule),
    reportedThrough: rule.judgedThrough.toISOString(),
    ...toCreation(rule),
  };
}

function toReceivers({ url, mailTo }: Rule) {
  return { url: url ?? null, mailTo: [...mailTo] };
}

function toCreation({ isPaused, createdAt, createdBy, createdByName }: Rule) {
  return { isPaused, createdAt: createdAt.toISOString(), createdBy, createdByName };
}
