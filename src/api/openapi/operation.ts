/**
 * What an address does, told once, beside its handler. openapi.json, the reference page, the client
 * and the checks of the tests derive from it; Fastify itself never reads it: requests are validated
 * by our own readers, which name every error at once.
 */
import type { RouteShorthandOptions } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { FaultCode } from '../../wire/faults.ts';
import type { Scope } from '../../wire/scopes.ts';
import type { HeaderName } from './headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

export const tags = {
  Statistics: 'Plays and playback time of the videos of an account.',
  'Video information': 'The videos of a distribution package or of a folder, and their details.',
  Collecting: 'Where players report what was played.',
  Managing: 'Accounts, keys, folders, videos, packages and the ledger.',
  Service: 'Whether the service runs, what it measures of itself, and this document.',
} as const;
export type Tag = keyof typeof tags;

export interface Operation {
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** What a key has to be allowed; without it, no key is asked for. */
  readonly scope?: Scope;
  /** The address is open, but a key that comes along opens more. */
  readonly keyIsOptional?: boolean;
  readonly path?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  /** By content type. */
  readonly body?: Readonly<Record<string, TSchema>>;
  readonly bodyIsOptional?: boolean;
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** The errors particular to it; those of every address or of its key come by themselves. */
  readonly faults?: readonly FaultCode[];
}

export interface Answer {
  readonly description: string;
  readonly headers?: readonly HeaderName[];
  /** By content type; absent: no body. */
  readonly content?: Readonly<Record<string, TSchema>>;
}

/** Options of a route that is part of the interface. */
export function documented(operation: Operation): RouteShorthandOptions {
  return { config: { operation } };
}

/** Path template of OpenAPI for a path of the router. */
export function templateOf(url: string): string {
  return url.replaceAll(/:([A-Za-z]+)/g, '{$1}');
}
