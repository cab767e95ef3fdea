import type { FastifyRequest } from 'fastify';
import type { Viewer } from '../collect/draft.ts';

/** The device of whoever sent the request, by its headers. */
export function viewerOf({ headers }: FastifyRequest): Viewer {
  return {
    userAgent: headers['user-agent'],
    platform: one(headers['sec-ch-ua-platform']),
    platformVersion: one(headers['sec-ch-ua-platform-version']),
  };
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
