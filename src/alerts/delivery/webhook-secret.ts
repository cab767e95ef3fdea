/** Secrets and signatures of webhooks, as Standard Webhooks specifies them. */
import { createHmac, randomBytes } from 'node:crypto';
import { createSealer, type Sealer } from '../../lib/sealer.ts';
import { secretBytes } from '../../vocabulary/receivers.ts';

const prefix = 'whsec_';
const drawnBytes = 32;
/** Never changes: secrets stay sealed for it for years. */
const sealedFor = 'playmeter webhook secret v1';

/** Signing needs the secret itself: it is stored sealed with the service's secret. */
export function createWebhookSealer(serviceSecret: string): Sealer {
  return createSealer(serviceSecret, sealedFor);
}

export function drawWebhookSecret(): string {
  return prefix + randomBytes(drawnBytes).toString('base64');
}

/** Whether the text is a secret of the right length. */
export function isWebhookSecret(text: string): boolean {
  const bytes = decodeSecret(text);
  const isWhole = bytes.toString('base64') === text.slice(prefix.length);
  return isWhole && bytes.length >= secretBytes.least && bytes.length <= secretBytes.most;
}

/** The headers that let the receiver check who sent the body, and when. */
export function signatureHeaders(
  secret: string,
  { messageId, body, nowMs }: { messageId: string; body: string; nowMs: number },
): Record<string, string> {
  const seconds = String(Math.floor(nowMs / 1_000));
  const signature = createHmac('sha256', decodeSecret(secret))
    .update(`${messageId}.${seconds}.${body}`)
    .digest('base64');
  return {
    'webhook-id': messageId,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
}

function decodeSecret(secret: string): Buffer {
  return Buffer.from(secret.slice(prefix.length), 'base64');
}
