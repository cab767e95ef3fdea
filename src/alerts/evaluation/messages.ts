/** The bodies of messages: what a webhook receives, and what mails are written from. */
import type { Rule, RuleTerms } from '../../catalog/catalog.ts';
import type { AlertTerms } from '../../wire/management/alerts.ts';
import type { MessageType } from '../../wire/management/deliveries.ts';
import type { ReportTerms } from '../../wire/management/reports.ts';
import type {
  MeasureValues,
  QualityBasis,
  QueryRow,
  ViewerBasis,
} from '../../wire/questions/audience-messages.ts';
import { type Figures, findExpected } from './condition.ts';
import type { DuePeriod } from './intervals.ts';

/** As Standard Webhooks lays them out. */
export interface Message<Data> {
  readonly type: MessageType;
  /** When it was judged or made, ISO 8601. */
  readonly timestamp: string;
  readonly data: Data;
}

interface OfRule {
  readonly name: string;
  readonly timeZone: string;
  /** The time that it is about: from, and up to. ISO 8601. */
  readonly from: string;
  readonly to: string;
}

export type AlertData = OfRule & {
  readonly alertId: number;
  readonly terms: AlertTerms;
  /** Of the measure; null: of silence, or nothing to divide by. */
  readonly value: number | null;
  /** For a drop, the average before. */
  readonly expected: number | null;
};

export type ReportData = Omit<OfRule, 'from' | 'to'> & {
  readonly reportId: number;
  readonly terms: ReportTerms;
  readonly sdate: string;
  readonly edate: string;
  readonly totals: MeasureValues;
  /** Only where a measure of viewers is reported. */
  readonly viewerBasis?: ViewerBasis;
  /** Only where a measure of quality is reported. */
  readonly qualityBasis?: QualityBasis;
  readonly previous: { readonly sdate: string; readonly edate: string } & {
    readonly totals: MeasureValues;
  };
  /** With the measures of the period before, as in `query`. */
  readonly list: readonly QueryRow[];
  /** The first measure on each day of the period before and of this one; reports of 0.2.0 have none. */
  readonly days?: readonly QueryRow[];
};

interface Judged {
  readonly rule: Pick<Rule, 'ruleId' | 'name'>;
  readonly timeZone: string;
  readonly nowMs: number;
}

export function alertMessage(
  type: MessageType,
  { rule, timeZone, nowMs }: Judged,
  {
    terms,
    figures,
    span,
  }: {
    readonly terms: AlertTerms;
    readonly figures: Figures;
    readonly span: { readonly fromMs: number; readonly untilMs: number };
  },
): Message<AlertData> {
  return {
    type,
    timestamp: new Date(nowMs).toISOString(),
    data: {
      ...{ alertId: rule.ruleId, name: rule.name, timeZone, terms },
      from: new Date(span.fromMs).toISOString(),
      to: new Date(span.untilMs).toISOString(),
      value: figures.value ?? null,
      expected: findExpected(figures),
    },
  };
}

export function reportMessage(
  { rule, timeZone, nowMs }: Judged,
  terms: ReportTerms,
  {
    period,
    totals,
    viewerBasis,
    qualityBasis,
    before,
    list,
    days,
  }: {
    readonly period: DuePeriod;
    readonly totals: MeasureValues;
    readonly viewerBasis: ViewerBasis | undefined;
    readonly qualityBasis: QualityBasis | undefined;
    readonly before: MeasureValues;
    readonly list: readonly QueryRow[];
    readonly days: readonly QueryRow[];
  },
): Message<ReportData> {
  const { sdate, edate, previous } = period;
  return {
    type: 'report.ready',
    timestamp: new Date(nowMs).toISOString(),
    data: {
      ...{ reportId: rule.ruleId, name: rule.name, timeZone, terms, sdate, edate, totals },
      ...(viewerBasis && { viewerBasis }),
      ...(qualityBasis && { qualityBasis }),
      previous: { ...previous, totals: before },
      ...{ list, days },
    },
  };
}

export function isReport(terms: RuleTerms): terms is ReportTerms {
  return terms.kind === 'report';
}
