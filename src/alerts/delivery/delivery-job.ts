/** One round of delivering: everything that is due or becomes due meanwhile, some at a time. */
import type { Attempt, Catalog, ClaimedDelivery } from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import type { DeliveryChannel, DeliveryState } from '../../wire/management/deliveries.ts';

/** How each channel attempts a delivery; undefined: it is not set up. Never rejects. */
export type Senders = Readonly<
  Record<DeliveryChannel, ((delivery: ClaimedDelivery) => Promise<Attempt>) | undefined>
>;

export interface DeliverParts {
  readonly catalog: Pick<Catalog, 'deliveries'>;
  readonly clock: Clock;
  readonly senders: Senders;
  readonly logger: Logger;
  /** Counts the attempt by its channel and what followed. */
  attempted(channel: DeliveryChannel, outcome: DeliveryState): void;
}

/** While attempts last, what became due meanwhile may have a place beside them. */
const lookEveryMs = 5_000;

/**
 * A message is sent again unless the attempt was noted: at least once, under the same id. A place
 * that becomes free is taken at once: no account waits for the receivers of another, and no webhook
 * for the mail server, which all accounts share.
 */
export async function deliverDue(parts: DeliverParts, signal?: AbortSignal): Promise<void> {
  const { catalog } = parts;
  const underWay = new Map<Promise<void>, ClaimedDelivery>();
  const begin = (one: ClaimedDelivery): void => {
    const attempt = deliver(one, parts).finally(() => underWay.delete(attempt));
    underWay.set(attempt, one);
  };
  try {
    do {
      if (underWay.size > 0) await oneEnds(underWay.keys(), parts.clock);
      const attempted = [...underWay.values()];
      const claimed = signal?.aborted ? [] : await catalog.deliveries.claim(attempted);
      for (const one of claimed) begin(one);
    } while (underWay.size > 0);
  } finally {
    await Promise.allSettled(underWay.keys());
  }
}

/** Or it is time to look again. */
async function oneEnds(attempts: Iterable<Promise<void>>, clock: Clock): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([...attempts, sleep(clock, lookEveryMs, over.signal)]);
  } finally {
    over.abort();
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
