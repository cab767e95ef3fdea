/** Alerts and scheduled reports of an account, and the log of their messages. */
import type { CallOptions } from './connection.ts';
import type {
  AlertChanges,
  AlertFields,
  AlertList,
  AlertsParameters,
  DeliveriesParameters,
  Delivery,
  DeliveryChannels,
  DeliveryList,
  NewAlert,
  NewReport,
  ReportChanges,
  ReportFields,
  ReportList,
  ReportsParameters,
  SentDeliveries,
  WholeDelivery,
} from './interface.ts';
import type { ManagementCalls } from './management-calls.ts';

export interface Rules {
  alerts(page?: AlertsParameters, options?: CallOptions): Promise<AlertList>;
  /** Only this answer has the secret that its webhook is signed with. */
  addAlert(fields: AlertFields, options?: CallOptions): Promise<NewAlert>;
  /** Also pauses and resumes it. */
  changeAlert(alertId: number, changes: AlertChanges, options?: CallOptions): Promise<NewAlert>;
  /** Sends a test to all its receivers. */
  testAlert(alertId: number, options?: CallOptions): Promise<SentDeliveries>;
  deleteAlert(alertId: number, options?: CallOptions): Promise<void>;
  /** Reports of every week or month. */
  reports(page?: ReportsParameters, options?: CallOptions): Promise<ReportList>;
  /** Only this answer has the secret that its webhook is signed with. */
  addReport(fields: ReportFields, options?: CallOptions): Promise<NewReport>;
  /** Also pauses and resumes it. */
  changeReport(reportId: number, changes: ReportChanges, options?: CallOptions): Promise<NewReport>;
  /** Sends the last report to all its receivers. */
  testReport(reportId: number, options?: CallOptions): Promise<SentDeliveries>;
  deleteReport(reportId: number, options?: CallOptions): Promise<void>;
  /** Messages of alerts and reports, newest first, with the outcome of each. */
  deliveries(parameters?: DeliveriesParameters, options?: CallOptions): Promise<DeliveryList>;
  /** In which ways messages can be delivered. */
  deliveryChannels(options?: CallOptions): Promise<DeliveryChannels>;
  /** With its body. */
  delivery(deliveryId: number, options?: CallOptions): Promise<WholeDelivery>;
  /** Sends a message again, under the same id. */
  replayDelivery(deliveryId: number, options?: CallOptions): Promise<Delivery>;
}

export function rulesOf({ get, add, send, change, remove }: ManagementCalls): Rules {
  return {
    alerts: (page, options) => get('/alerts', page, options),
    addAlert: (fields, options) => add('/alerts', fields, options),
    changeAlert: (id, changes, options) => change('PATCH', `/alerts/${id}`, changes, options),
    testAlert: (id, options) => send(`/alerts/${id}/test`, {}, options),
    deleteAlert: (id, options) => remove(`/alerts/${id}`, options),
    reports: (page, options) => get('/reports', page, options),
    addReport: (fields, options) => add('/reports', fields, options),
    changeReport: (id, changes, options) => change('PATCH', `/reports/${id}`, changes, options),
    testReport: (id, options) => send(`/reports/${id}/test`, {}, options),
    deleteReport: (id, options) => remove(`/reports/${id}`, options),
    deliveries: (parameters, options) => get('/deliveries', parameters, options),
    deliveryChannels: (options) => get('/delivery-channels', {}, options),
    delivery: (id, options) => get(`/deliveries/${id}`, {}, options),
    replayDelivery: (id, options) => add(`/deliveries/${id}/replay`, {}, options),
  };
}
