/** Alerts and scheduled reports of an account, and the log of their messages. */
import type { CallOptions, Connection } from './connection.ts';
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

const root = '/manage/v1';

export function rulesOf(connection: Connection): Rules {
  const get = async <Body>(path: string, query: object = {}, options: CallOptions = {}) =>
    (await connection.get<Body>(root + path, { ...query }, options)).body;
  const add = async <Body>(path: string, message: object, options: CallOptions = {}) => {
    const once = { ...options, idempotencyKey: crypto.randomUUID() };
    return (await connection.post<Body>(root + path, message, once)).body;
  };
  const send = async <Body>(path: string, options: CallOptions = {}) =>
    (await connection.post<Body>(root + path, {}, options)).body;
  const change = async <Body>(path: string, message: object, options: CallOptions = {}) =>
    (await connection.change<Body>('PATCH', root + path, message, options)).body;
  const remove = async (path: string, options: CallOptions = {}) => {
    await connection.change('DELETE', root + path, undefined, options);
  };
  return {
    alerts: (page, options) => get('/alerts', page, options),
    addAlert: (fields, options) => add('/alerts', fields, options),
    changeAlert: (id, changes, options) => change(`/alerts/${id}`, changes, options),
    testAlert: (id, options) => send(`/alerts/${id}/test`, options),
    deleteAlert: (id, options) => remove(`/alerts/${id}`, options),
    reports: (page, options) => get('/reports', page, options),
    addReport: (fields, options) => add('/reports', fields, options),
    changeReport: (id, changes, options) => change(`/reports/${id}`, changes, options),
    testReport: (id, options) => send(`/reports/${id}/test`, options),
    deleteReport: (id, options) => remove(`/reports/${id}`, options),
    deliveries: (parameters, options) => get('/deliveries', parameters, options),
    deliveryChannels: (options) => get('/delivery-channels', {}, options),
    delivery: (id, options) => get(`/deliveries/${id}`, {}, options),
    replayDelivery: (id, options) => add(`/deliveries/${id}/replay`, {}, options),
  };
}
