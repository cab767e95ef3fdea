/** One round over all rules: what is due is judged by complete data, and noted once. */
import type { Account, Catalog, Conclusion, Rule, RuleMessage } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { declaredLabels } from '../../query/parse/dimension-parser.ts';
import { readQuery } from '../../query/parse/query-parser.ts';
import type { QueryService } from '../../query/query-service.ts';
import type { WholeAnswer } from '../../query/run/query-run.ts';
import { measuresOfRows } from '../../vocabulary/measures.ts';
import type { AlertTerms } from '../../wire/management/alerts.ts';
import type { ReportTerms } from '../../wire/management/reports.ts';
import type {
  MeasureValues,
  QueryRow,
  QueryTotals,
} from '../../wire/questions/audience-messages.ts';
import { type Figures, holds } from './condition.ts';
import { type Asker, firstKept, readMeasured, readSilence, type Statistics } from './figures.ts';
import { type DuePeriod, duePeriod, lastOver, type ReportedDays } from './intervals.ts';
import {
  alertMessage,
  isReport,
  type Message,
  type ReportData,
  reportMessage,
} from './messages.ts';

const minuteMs = 60_000;
/** Players report what they played a little later. */
const graceMs = 2 * minuteMs;

export interface RuleEvaluationParts extends Statistics {
  readonly catalog: Pick<Catalog, 'accounts' | 'labels' | 'rules'>;
  /** See FactReader. */
  readonly facts: { completeThrough(): number };
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One that cannot be judged now, or at all, keeps no other from being judged. */
export async function judgeRules(parts: RuleEvaluationParts, signal?: AbortSignal): Promise<void> {
  const { catalog, logger } = parts;
  const accounts = new Map<number, Account>();
  for (const account of await catalog.accounts.list()) accounts.set(account.accountId, account);
  for (let last = 0; ; ) {
    const rules = await catalog.rules.after(last);
    if (rules.length === 0) return;
    for (const rule of rules) {
      if (signal?.aborted) return;
      last = rule.ruleId;
      const account = accounts.get(rule.accountId);
      if (account === undefined || account.closedAt || rule.isPaused) continue;
      try {
        const conclusion = await judge(rule, account, parts);
        if (conclusion) await catalog.rules.conclude(rule, conclusion);
      } catch (error) {
        const { accountId, ruleId } = rule;
        logger.warn({ err: error, accountId, ruleId }, 'rule is not judged yet, trying again');
      }
    }
  }
}

/** What a rule would send of the last time that is over, whether it is due or not. */
export async function composeMessage(
  rule: Rule,
  parts: Omit<RuleEvaluationParts, 'logger'>,
): Promise<RuleMessage> {
  const { terms } = rule;
  const account = await parts.catalog.accounts.find(rule.accountId);
  assert(account, 'a rule is of an account');
  const { timeZone } = account;
  const asker = await createAsker(rule, account, parts);
  const nowMs = parts.clock.now();
  if (isReport(terms)) {
    const period = duePeriod(terms, timeZone, nowMs);
    const message = await makeReport({ rule, terms, period, asker, nowMs }, parts.queryService);
    return { type: message.type, body: JSON.stringify(message) };
  }
  const { span, read } = lookAt(terms, timeZone, parts);
  const figures = await read(asker);
  const judged = { rule, timeZone, nowMs };
  const message = alertMessage('alert.test', judged, { terms, figures, span });
  return { type: message.type, body: JSON.stringify(message) };
}

/** Undefined if nothing is due, or nothing is to be noted. */
async function judge(
  rule: Rule,
  account: Account,
  parts: RuleEvaluationParts,
): Promise<Conclusion | undefined> {
  const { terms } = rule;
  if (!isReport(terms)) return judgeAlert(rule, terms, account, parts);
  const nowMs = parts.clock.now();
  const { timeZone } = account;
  const period = duePeriod(terms, timeZone, nowMs);
  const isDue = rule.judgedThrough.getTime() < period.untilMs;
  if (!isDue || parts.facts.completeThrough() < period.untilMs + graceMs) return undefined;
  const asker = await createAsker(rule, account, parts);
  const message = await makeReport({ rule, terms, period, asker, nowMs }, parts.queryService);
  const report = { type: message.type, body: JSON.stringify(message) };
  return { judgedThrough: new Date(period.untilMs), isFiring: false, message: report };
}

async function judgeAlert(
  rule: Rule,
  terms: AlertTerms,
  account: Account,
  parts: RuleEvaluationParts,
): Promise<Conclusion | undefined> {
  const { timeZone } = account;
  const { span, read } = lookAt(terms, timeZone, parts);
  if (span.untilMs <= rule.judgedThrough.getTime()) return undefined;
  const figures = await read(await createAsker(rule, account, parts));
  const isFiring = holds(terms, figures) ?? rule.isFiring;
  const isChanged = isFiring !== rule.isFiring;
  // Judged every minute: noted where it changes alone.
  if (terms.kind === 'silence' && !isChanged) return undefined;
  const conclusion = { judgedThrough: new Date(span.untilMs), isFiring };
  if (!isChanged) return { ...conclusion, message: undefined };
  const type = isFiring ? 'alert.firing' : 'alert.resolved';
  const judged = { rule, timeZone, nowMs: parts.clock.now() };
  const body = JSON.stringify(alertMessage(type, judged, { terms, figures, span }));
  return { ...conclusion, message: { type, body } };
}

interface Look {
  /** What is judged: all of it is complete. */
  readonly span: { readonly fromMs: number; readonly untilMs: number };
  read(asker: Asker): Promise<Figures>;
}

function lookAt(
  terms: AlertTerms,
  timeZone: string,
  parts: Omit<RuleEvaluationParts, 'logger'>,
): Look {
  const throughMs = parts.facts.completeThrough();
  if (terms.kind === 'silence') {
    const untilMs = Math.floor(throughMs / minuteMs) * minuteMs;
    const span = { fromMs: untilMs - terms.minutes * minuteMs, untilMs };
    return { span, read: (asker) => readSilence(terms, span, asker, parts) };
  }
  const span = lastOver(terms.per, timeZone, throughMs - graceMs);
  return { span, read: (asker) => readMeasured(terms, span, asker, parts) };
}

async function createAsker(
  { packageIds }: Rule,
  { accountId, timeZone }: Account,
  { catalog }: Pick<RuleEvaluationParts, 'catalog'>,
) {
  const labels = await declaredLabels(catalog.labels, accountId);
  return { accountId, timeZone, labels, packageIds };
}

interface Wanted {
  readonly rule: Rule;
  readonly terms: ReportTerms;
  readonly period: DuePeriod;
  readonly asker: Asker;
  readonly nowMs: number;
}

/** The totals of a period and of the one before, and the largest rows. */
async function makeReport(
  { rule, terms, period, asker, nowMs }: Wanted,
  queryService: Pick<QueryService, 'askWhole'>,
): Promise<Message<ReportData>> {
  const { measures, dimension, filters, top } = terms;
  const ask = (
    { sdate, edate }: ReportedDays,
    dimensions: string | null,
    asked: readonly string[] = measures,
  ) => {
    const parameters = {
      ...{ sdate, edate, measures: asked.join(',') },
      ...(dimensions === null ? {} : { dimensions }),
      ...(dimensions === 'date' ? { fill: 'zero' } : {}),
      ...(filters === null ? {} : { filters }),
    };
    return queryService.askWhole(readQuery(parameters, asker));
  };
  const own = await ask(period, dimension);
  const before = await firstKept<Pick<WholeAnswer, 'rows' | 'totals'>>([
    () => ask(period.previous, dimension),
    async () => ({ ...(await ask(period.previous, null)), rows: [] }),
    () => nothingKept,
  ]);
  const both = { sdate: period.previous.sdate, edate: period.edate };
  const daysOf = (range: ReportedDays) => ask(range, 'date', measures.slice(0, 1));
  const days = await firstKept([() => daysOf(both), () => daysOf(period)]);
  return reportMessage({ rule, timeZone: asker.timeZone, nowMs }, terms, {
    ...{ period, totals: pickValues(own.totals), before: pickValues(before.totals) },
    viewerBasis: own.viewerBasis,
    qualityBasis: own.qualityBasis,
    list:
      dimension === null
        ? []
        : own.rows.slice(0, top).map(withPrevious(before.rows, dimension, measures)),
    days: days.rows,
  });
}

const nothingKept = { rows: [], totals: {} };

/** Null where nothing was: a row without playback is none. */
function withPrevious(
  before: readonly QueryRow[],
  dimension: string,
  measures: ReportTerms['measures'],
) {
  const names = measuresOfRows(measures);
  const measured = before.map((row) => {
    const values = Object.fromEntries(names.map((name) => [name, row[name] as number | null]));
    return [row[dimension], values] as const;
  });
  const byKey = new Map(measured);
  return (row: QueryRow): QueryRow => ({ ...row, previous: byKey.get(row[dimension]) ?? null });
}

/** Without a comparison there are only measures. */
function pickValues(totals: QueryTotals): MeasureValues {
  return totals as MeasureValues;
}
