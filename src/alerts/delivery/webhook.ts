/** One attempt to post a message to a webhook. */
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Attempt, ClaimedDelivery } from '../../catalog/catalog.ts';
import type { Sealer } from '../../lib/sealer.ts';
import type { Clock } from '../../lib/time/clock.ts';
import {
  allowedLookup,
  checkHost,
  ForbiddenAddress,
  type WebhookPolicy,
} from './allowed-address.ts';
import { signatureHeaders } from './webhook-secret.ts';

/** From the look-up of the name to the head of the answer. */
const attemptMs = 10_000;
const headerBytes = 16_384;
/** The receiver wants no more of these. */
const gone = 410;

interface WebhookParts {
  readonly policy: WebhookPolicy;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly clock: Clock;
}

/** Never rejects: what went wrong is in the attempt. */
export async function postWebhook(
  delivery: Pick<ClaimedDelivery, 'receiver' | 'messageId' | 'body' | 'sealedSecret'>,
  { policy, sealer, clock }: WebhookParts,
): Promise<Attempt> {
  const { receiver, messageId, body, sealedSecret } = delivery;
  const secret = sealedSecret && sealer.open(sealedSecret);
  if (secret === undefined) {
    return failed('its secret cannot be read: APP_SECRET is not the one it was stored under');
  }
  const signature = signatureHeaders(secret, { messageId, body, nowMs: clock.now() });
  try {
    const status = await post(new URL(receiver), body, signature, { policy, clock });
    const isDelivered = status >= 200 && status < 300;
    const error = isDelivered ? undefined : describeStatus(status);
    return { isDelivered, isFinal: status === gone, status, error };
  } catch (error) {
    return failed(describe(error));
  }
}

/** The answer's status. Its body is not read, and no redirect is followed. */
function post(
  url: URL,
  body: string,
  signature: Record<string, string>,
  { policy, clock }: Pick<WebhookParts, 'policy' | 'clock'>,
): Promise<number> {
  const isTls = url.protocol === 'https:';
  checkHost(url.hostname, isTls, policy);
  return new Promise((resolve, reject) => {
    const sending = (isTls ? requestTls : requestPlain)(url, {
      method: 'POST',
      // A connection of its own: none is used again that was made under another check.
      agent: false,
      lookup: allowedLookup(isTls, policy),
      maxHeaderSize: headerBytes,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Playmeter',
        ...signature,
      },
    });
    const cancel = clock.after(attemptMs, () =>
      sending.destroy(new Error(`no answer within ${attemptMs / 1_000} s`)),
    );
    sending.on('close', cancel);
    sending.on('error', reject);
    sending.on('response', (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    sending.end(body);
  });
}

function describeStatus(status: number): string {
  const isRedirect = status >= 300 && status < 400;
  return isRedirect ? `status ${status}: redirects are not followed` : `status ${status}`;
}

function failed(error: string): Attempt {
  return { isDelivered: false, isFinal: false, status: undefined, error };
}

/** Of an address that may not be reached, the account learns no more than that. */
function describe(error: unknown): string {
  if (error instanceof ForbiddenAddress || !(error instanceof Error)) return String(error);
  // Of several addresses of a name, each has an error of its own.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const code = (first as NodeJS.ErrnoException).code;
  return code ?? (first instanceof Error ? first.message : String(first));
}
