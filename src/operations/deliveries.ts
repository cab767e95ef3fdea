/** The log of the messages of alerts and reports, and sending one again. */

import Type from 'typebox';
import type { Delivery } from '../catalog/catalog.ts';
import { counted } from '../lib/values/counted.ts';
import {
  DeliveriesRequest,
  DeliveryChannels,
  DeliveryList,
  DeliveryRecord,
  WholeDeliveryRecord,
} from '../wire/management/deliveries.ts';
import { required } from './command-options.ts';
import { defineOperation, paginate } from './operation.ts';
import { accepted, found } from './refusal-faults.ts';

const url = '/manage/v1/deliveries';
const one = {
  url: `${url}/:deliveryId`,
  path: Type.Object({ deliveryId: DeliveryRecord.properties.deliveryId }),
};

export const deliveries = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'deliveries' },
    role: 'manager',
    summary: 'List the messages of alerts and reports, with the outcome of each',
    description: 'The newest first. The newest 1,000 are kept, for 30 days.',
    query: DeliveriesRequest,
    check: ({ alertId, reportId }) =>
      alertId === undefined || reportId === undefined
        ? []
        : [{ parameter: 'reportId', detail: 'may not go with alertId' }],
    answers: { 200: DeliveryList },
    run: async ({ accountId, catalog, query }) => {
      const { alertId, reportId, state } = query;
      const rule =
        alertId === undefined && reportId === undefined
          ? {}
          : {
              subject: alertId === undefined ? ('report' as const) : ('alert' as const),
              ruleId: alertId ?? reportId,
            };
      const list = await catalog.deliveries.list(accountId, { ...rule, state });
      return paginate(list.map(toDeliveryRecord), query);
    },
    commands: [
      {
        words: 'delivery list',
        summary: 'List the messages of alerts and reports, newest first, with the outcome of each',
        options: {},
        show: ({ list }) => ({ json: { deliveryList: list }, lines: list.map(describe) }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'GET', url: '/manage/v1/delivery-channels', operationId: 'deliveryChannels' },
    role: 'analyst',
    isPinned: true,
    summary: 'Get the ways in which messages can be delivered',
    description: 'Beside webhooks, which always can.',
    answers: { 200: DeliveryChannels },
    serve: async ({ service }) => ({ mail: service.canMail }),
  }),

  defineOperation({
    ...{ ...one, method: 'GET', operationId: 'delivery' },
    role: 'manager',
    summary: 'Read a message with its body',
    answers: { 200: WholeDeliveryRecord },
    run: async ({ accountId, catalog, path }) => {
      const delivery = found(await catalog.deliveries.find({ accountId, ...path }), 'NO_DELIVERY');
      return { ...toDeliveryRecord(delivery), body: delivery.body };
    },
  }),

  defineOperation({
    ...{ ...one, method: 'POST', url: `${one.url}/replay`, operationId: 'replayDelivery' },
    role: 'manager',
    summary: 'Send a message again',
    description:
      'Within seconds, under the same `messageId`, whatever became of it before; if that ' +
      'fails, it is attempted as often as a new one. `409` if its alert or report was deleted.',
    answers: { 200: DeliveryRecord },
    audit: ['DELIVERY_REPLAYED'],
    run: async ({ accountId, catalog, path }) =>
      toDeliveryRecord(accepted(await catalog.deliveries.replay({ accountId, ...path }))),
    commands: [
      {
        words: 'delivery replay',
        summary:
          'Send a message again, under the same id; a running service does so within seconds',
        options: { delivery: required('deliveryId', 'Delivery id', 'ID') },
        show: ({ deliveryId, messageId }) => ({
          json: { deliveryId, messageId },
          lines: [`Delivering ${messageId} again`],
        }),
      },
    ],
  }),
];

function describe(delivery: DeliveryRecord): string {
  const { deliveryId, createdAt, type, channel, receiver, state, attempts, error } = delivery;
  const tried = counted(attempts, 'attempt');
  const members = [deliveryId, createdAt, type, channel, receiver, state, tried, error ?? ''];
  return members.join('\t').trimEnd();
}

export function toDeliveryRecord(delivery: Delivery): DeliveryRecord {
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
