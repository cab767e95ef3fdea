import { accepted } from '../../operations/refusal-faults.ts';
import { recordOfDelivery } from '../../operations/rules.ts';
import { accountOption, jsonOption, requiredOption } from '../runner/options.ts';
import { withCatalog } from '../runner/with-catalog.ts';
import type { Verb } from '../verb.ts';

export const deliveryList: Verb = {
  words: 'delivery list',
  summary: 'List the messages of alerts and reports, newest first, with the outcome of each',
  options: { account: accountOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async ({ deliveries }) => {
      const list = (await deliveries.list(given.id('account'), {})).map(recordOfDelivery);
      const lines = list.map((delivery) => {
        const { deliveryId, createdAt, type, channel, receiver, state, attempts } = delivery;
        const tried = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
        const of = [deliveryId, createdAt, type, channel, receiver, state, tried];
        return [...of, delivery.error ?? ''].join('\t').trimEnd();
      });
      return { json: { deliveryList: list }, lines };
    }),
};

export const deliveryReplay: Verb = {
  words: 'delivery replay',
  summary: 'Send a message again, under the same id; a running service does so within seconds',
  options: {
    account: accountOption,
    delivery: requiredOption('Delivery id', 'ID'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async ({ deliveries }) => {
      const [accountId, deliveryId] = [given.id('account'), given.id('delivery')];
      const { messageId } = accepted(await deliveries.replay({ accountId, deliveryId }));
      return { json: { deliveryId, messageId }, lines: [`Delivering ${messageId} again`] };
    }),
};
