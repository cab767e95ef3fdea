/** One round of delivering: everything that is due, some at a time. */
import type { Attempt, Catalog, ClaimedDelivery } from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import { noTraces, type Traces } from '../../lib/traces.ts';
import type { DeliveryChannel, DeliveryState } from '../../wire/deliveries.ts';

/** How each channel attempts a delivery; undefined: it is not set up. Never rejects. */
export type Senders = Readonly<
  Record<DeliveryChannel, ((delivery: ClaimedDelivery) => Promise<Attempt>) | undefined>
>;

export interface DeliverParts {
  readonly catalog: Pick<Catalog, 'deliveries'>;
  readonly senders: Senders;
  readonly logger: Logger;
  /** Default: none. */
  readonly traces?: Traces | undefined;
  /** Counts the attempt by its channel and what followed. */
  attempted(channel: DeliveryChannel, outcome: DeliveryState): void;
}

/** A message is sent again unless the attempt was noted: at least once, under the same id. */
export async function deliverDue(parts: DeliverParts, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const claimed = await parts.catalog.deliveries.claim();
    if (claimed.length === 0) return;
    const { traces = noTraces } = parts;
    await Promise.all(
      claimed.map((one) => traces.job(`deliver by ${one.channel}`, () => deliver(one, parts))),
    );
  }
}

async function deliver(delivery: ClaimedDelivery, parts: DeliverParts): Promise<void> {
  const { catalog, senders, logger, attempted } = parts;
  const { channel, deliveryId, accountId, ruleId, attempts } = delivery;
  const attempt = (await senders[channel]?.(delivery)) ?? notSetUp;
  const outcome = await catalog.deliveries.settle(delivery, attempt);
  attempted(channel, outcome);
  const { status, error } = attempt;
  const fields = { accountId, ruleId, deliveryId, channel, attempts, status };
  if (outcome === 'delivered') logger.info(fields, 'message delivered');
  else logger.warn({ ...fields, error, outcome }, 'message not delivered');
}

const notSetUp: Attempt = {
  ...{ isDelivered: false, isFinal: false, status: undefined },
  error: 'the service sends no mail: SMTP_URL is not set',
};
