import type { IncomingMessage } from 'node:http';
import type { Sender } from '../collect/draft.ts';

/** Whoever sent the request without a key, by its headers. */
export function senderOf({ headers }: Pick<IncomingMessage, 'headers'>): Sender {
  return {
    origin: headers.origin,
    userAgent: headers['user-agent'],
    platform: one(headers['sec-ch-ua-platform']),
    platformVersion: one(headers['sec-ch-ua-platform-version']),
  };
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
