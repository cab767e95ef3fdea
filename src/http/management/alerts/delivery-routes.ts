/** /manage/v1/deliveries: the log of messages, and sending one again. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Delivery } from '../../../catalog/catalog.ts';
import { accepted, found } from '../../../operations/refusal-faults.ts';
import { recordOfDelivery } from '../../../operations/rules.ts';
import {
  DeliveriesRequest,
  DeliveryList,
  DeliveryRecord,
  WholeDeliveryRecord,
} from '../../../wire/management/deliveries.ts';
import { pageOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

const url = '/manage/v1/deliveries';
const path = Type.Object({ deliveryId: DeliveryRecord.properties.deliveryId });

export function addDeliveryRoutes(app: FastifyInstance, parts: ManageParts): void {
  addManageRoute(
    app,
    parts,
    {
      ...{ method: 'GET', url, operationId: 'deliveries' },
      summary: 'List the messages of alerts and reports, with the outcome of each',
      description: 'The newest first. The newest 1,000 are kept, for 30 days.',
      query: DeliveriesRequest,
      check: ({ alertId, reportId }) =>
        alertId === undefined || reportId === undefined
          ? []
          : [{ parameter: 'reportId', detail: 'may not go with alertId' }],
      answers: { 200: DeliveryList },
    },
    async ({ caller: { accountId }, catalog, query }) => {
      const { alertId, reportId, state } = query;
      const ofRule =
        alertId === undefined && reportId === undefined
          ? {}
          : {
              subject: alertId === undefined ? ('report' as const) : ('alert' as const),
              ruleId: alertId ?? reportId,
            };
      const list: Delivery[] = await catalog.deliveries.list(accountId, { ...ofRule, state });
      return { status: 200, body: pageOf(list.map(recordOfDelivery), query) };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      ...{ method: 'GET', url: `${url}/:deliveryId`, operationId: 'delivery' },
      summary: 'Read a message with its body',
      path,
      answers: { 200: WholeDeliveryRecord },
    },
    async ({ caller: { accountId }, catalog, path: { deliveryId } }) => {
      const name = { accountId, deliveryId };
      const delivery = found(await catalog.deliveries.find(name), 'NO_DELIVERY');
      return { status: 200, body: { ...recordOfDelivery(delivery), body: delivery.body } };
    },
  );

  addManageRoute(
    app,
    parts,
    {
      ...{ method: 'POST', url: `${url}/:deliveryId/replay`, operationId: 'replayDelivery' },
      summary: 'Send a message again',
      description:
        'Within seconds, under the same `messageId`, whatever became of it before; if that ' +
        'fails, it is attempted as often as a new one. `409` if its alert or report was deleted.',
      path,
      answers: { 200: DeliveryRecord },
    },
    async ({ caller: { accountId }, catalog, path: { deliveryId } }) => {
      const replayed = accepted(await catalog.deliveries.replay({ accountId, deliveryId }));
      return { status: 200, body: recordOfDelivery(replayed) };
    },
  );
}
