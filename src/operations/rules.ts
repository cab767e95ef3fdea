import type { Delivery, Rule } from '../catalog/catalog.ts';
import type { AlertRecord, AlertTerms } from '../wire/management/alerts.ts';
import type { DeliveryRecord } from '../wire/management/deliveries.ts';
import type { ReportRecord, ReportTerms } from '../wire/management/reports.ts';

/** As the interface and the command line show an alert. */
export function recordOfAlert(rule: Rule): AlertRecord {
  const terms = rule.terms as AlertTerms;
  return {
    ...{ alertId: rule.ruleId, name: rule.name },
    ...{ measure: null, per: null, above: null, below: null },
    ...{ percent: null, weeks: null, atLeast: null, minutes: null },
    ...terms,
    ...receiversOf(rule),
    isFiring: rule.isFiring,
    judgedThrough: rule.judgedThrough.toISOString(),
    ...makerOf(rule),
  };
}

/** As the interface and the command line show a report. */
export function recordOfReport(rule: Rule): ReportRecord {
  const { kind: _, measures, ...terms } = rule.terms as ReportTerms;
  return {
    ...{ reportId: rule.ruleId, name: rule.name, ...terms, measures: measures.join(',') },
    ...receiversOf(rule),
    reportedThrough: rule.judgedThrough.toISOString(),
    ...makerOf(rule),
  };
}

/** As the interface and the command line show a delivery. */
export function recordOfDelivery(delivery: Delivery): DeliveryRecord {
  const { deliveryId, messageId, subject, ruleId, channel, receiver, type, state } = delivery;
  return {
    ...{ deliveryId, messageId },
    alertId: subject === 'alert' ? ruleId : null,
    reportId: subject === 'report' ? ruleId : null,
    ...{ channel, receiver, type, state, attempts: delivery.attempts },
    createdAt: delivery.createdAt.toISOString(),
    attemptedAt: delivery.attemptedAt?.toISOString() ?? null,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    status: delivery.status ?? null,
    error: delivery.error ?? null,
  };
}

function receiversOf({ url, mailTo }: Rule) {
  return { url: url ?? null, mailTo: [...mailTo] };
}

function makerOf({ createdAt, createdBy, createdByName }: Rule) {
  return { createdAt: createdAt.toISOString(), createdBy, createdByName };
}
