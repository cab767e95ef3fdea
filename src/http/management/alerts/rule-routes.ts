/** /manage/v1/alerts and /manage/v1/reports: the rules of an account, alike but for their terms. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import {
  type ReadRule,
  type RuleContext,
  readAlert,
  readReport,
} from '../../../alerts/rule-parser.ts';
import type { Caller, CatalogParts, Rule, RuleSubject } from '../../../catalog/catalog.ts';
import { accepted } from '../../../operations/refusal-faults.ts';
import { recordOfAlert, recordOfReport } from '../../../operations/rules.ts';
import { declaredLabels } from '../../../query/parse/declared-labels.ts';
import {
  AlertFields,
  AlertList,
  AlertRecord,
  NewAlertRecord,
} from '../../../wire/management/alerts.ts';
import {
  NewReportRecord,
  ReportFields,
  ReportList,
  ReportRecord,
} from '../../../wire/management/reports.ts';
import { PageRequest } from '../../../wire/management-messages.ts';
import { pageOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

export interface RuleParts extends ManageParts {
  readonly ruleContext: RuleContext;
}

const secretOnce =
  'Only this answer contains the secret that its webhook is signed with. The sending key must ' +
  'have the scope `stats:read` and must never expire (`403`): a rule has no end.';

export function addRuleRoutes(app: FastifyInstance, parts: RuleParts): void {
  addAlertRoutes(app, parts);
  addReportRoutes(app, parts);
  addDeletion(app, parts, 'alert');
  addDeletion(app, parts, 'report');
}

function addAlertRoutes(app: FastifyInstance, parts: RuleParts): void {
  addManageRoute(
    app,
    parts,
    {
      ...{ method: 'GET', url: '/manage/v1/alerts', operationId: 'alerts' },
      summary: 'List all alerts',
      query: PageRequest,
      answers: { 200: AlertList },
    },
    async ({ caller, catalog, query }) => {
      const rules: Rule[] = await catalog.rules.list(caller.accountId, 'alert');
      return { status: 200, body: pageOf(rules.map(recordOfAlert), query) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      ...{ method: 'POST', url: '/manage/v1/alerts', operationId: 'addAlert' },
      summary: 'Create an alert',
      description:
        'Its receivers get a message when its condition begins to hold, and one when it holds no ' +
        `longer. Only complete data is judged: hours and days that are over. ${secretOnce}`,
      body: AlertFields,
      answers: { 201: NewAlertRecord },
    },
    async ({ caller, catalog, body }) => {
      const read = readAlert(body, await askerOf(caller, catalog), parts.ruleContext);
      return created(catalog, read, recordOfAlert);
    },
  );
}

function addReportRoutes(app: FastifyInstance, parts: RuleParts): void {
  addManageRoute(
    app,
    parts,
    {
      ...{ method: 'GET', url: '/manage/v1/reports', operationId: 'reports' },
      summary: 'List all scheduled reports',
      query: PageRequest,
      answers: { 200: ReportList },
    },
    async ({ caller, catalog, query }) => {
      const rules: Rule[] = await catalog.rules.list(caller.accountId, 'report');
      return { status: 200, body: pageOf(rules.map(recordOfReport), query) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      ...{ method: 'POST', url: '/manage/v1/reports', operationId: 'addReport' },
      summary: 'Create a scheduled report',
      description:
        'Its receivers get the totals of each week or month, once all of it is collected, beside ' +
        `those of the one before, and the largest rows of a dimension. ${secretOnce}`,
      body: ReportFields,
      answers: { 201: NewReportRecord },
    },
    async ({ caller, catalog, body }) => {
      const read = readReport(body, await askerOf(caller, catalog), parts.ruleContext);
      return created(catalog, read, recordOfReport);
    },
  );
}

function addDeletion(app: FastifyInstance, parts: RuleParts, subject: RuleSubject): void {
  const isAlert = subject === 'alert';
  const member = isAlert ? AlertRecord.properties.alertId : ReportRecord.properties.reportId;
  const name = isAlert ? 'alertId' : 'reportId';
  addManageRoute(
    app,
    parts,
    {
      method: 'DELETE',
      url: `/manage/v1/${subject}s/:${name}`,
      operationId: isAlert ? 'deleteAlert' : 'deleteReport',
      summary: isAlert ? 'Delete an alert' : 'Delete a scheduled report',
      description: 'Messages not delivered yet are given up; those in the log stay there.',
      path: Type.Object({ [name]: member }),
      answers: { 204: null },
    },
    async ({ caller: { accountId }, catalog, path }) => {
      const ruleId = Number(Object.values(path)[0]);
      accepted(await catalog.rules.delete({ accountId, ruleId, subject }));
      return { status: 204 };
    },
  );
}

async function askerOf({ accountId, timeZone }: Caller, { labels }: CatalogParts) {
  return { accountId, timeZone, labels: await declaredLabels(labels, accountId) };
}

async function created(
  catalog: CatalogParts,
  { rule, secret }: ReadRule,
  recordOf: (rule: Rule) => object,
) {
  const made = accepted(await catalog.rules.create(rule));
  return { status: 201, body: { ...recordOf(made), secret: secret ?? null } };
}
