/** /manage/v1/deliveries: what became of each message of an alert or a report. */
import Type, { type Static } from 'typebox';
import { orNull, ruleId } from '../../vocabulary/receivers.ts';
import { createList, named, PageRequest } from '../management-messages.ts';

export const messageTypes = [
  'alert.firing',
  'alert.resolved',
  'alert.test',
  'report.ready',
] as const;
export type MessageType = (typeof messageTypes)[number];
export const deliveryChannels = ['webhook', 'mail'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const instantOrNull = (description: string) =>
  orNull(Type.String({ format: 'date-time', examples: ['2026-11-20T10:15:30.123Z'] }), description);
const state = Type.Enum([...deliveryStates], {
  description: '`waiting`: for its first or next attempt; `failed`: it was given up',
});

export const DeliveriesRequest = Type.Object({
  alertId: Type.Optional(ruleId('Only messages of this alert')),
  reportId: Type.Optional(ruleId('Only messages of this report')),
  state: Type.Optional({ ...state, description: 'Only those in this state' }),
  ...PageRequest.properties,
});

const members = {
  deliveryId: ruleId('Id of the delivery'),
  messageId: Type.String({
    description:
      "The header `webhook-id`, and the beginning of a mail's Message-ID: the same in every " +
      'attempt',
    examples: ['msg_8f14e45fceea467a9575dbd6b1a7d2c0'],
  }),
  alertId: orNull(ruleId('The alert that it is of'), 'The alert that it is of; null: a report'),
  reportId: orNull(ruleId('The report that it is of'), 'The report that it is of; null: an alert'),
  channel: Type.Enum([...deliveryChannels], { description: 'How it is delivered' }),
  receiver: Type.String({ description: 'The URL, or the mail address' }),
  type: Type.Enum([...messageTypes], { description: 'What it says' }),
  state,
  attempts: Type.Integer({ minimum: 0, description: 'Attempts so far' }),
  createdAt: Type.String({ format: 'date-time', description: 'When it was to be delivered first' }),
  attemptedAt: instantOrNull('When the last attempt began; null: there was none'),
  nextAttemptAt: instantOrNull('When the next attempt is due; null: there is none'),
  status: orNull(
    Type.Integer(),
    'HTTP status, or SMTP code, of the last answer; null: there was none',
  ),
  error: orNull(Type.String(), 'Why the last attempt failed; null: it did not'),
};

export const DeliveryRecord = Type.Object(members, named('Delivery'));
export type DeliveryRecord = Static<typeof DeliveryRecord>;
export const WholeDeliveryRecord = Type.Object(
  { ...members, body: Type.String({ description: 'The message: what a webhook receives' }) },
  named('WholeDelivery'),
);
export const SentDeliveries = Type.Object(
  { list: Type.Array(DeliveryRecord, { description: 'One for each receiver' }) },
  named('SentDeliveries'),
);
export const DeliveryChannels = Type.Object(
  {
    mail: Type.Boolean({
      description: 'Whether this service sends mail: its operator has set `SMTP_URL`',
    }),
  },
  named('DeliveryChannels'),
);
export const DeliveryList = createList('DeliveryList', DeliveryRecord);
