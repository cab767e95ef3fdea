/**
 * What an operation does, stated once, beside its handler. openapi.json, the reference, the client
 * and the checks of the tests derive from it; Fastify itself never reads it: requests are validated
 * by our own readers, which name every error at once.
 */
import type { RouteShorthandOptions } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { FaultCode } from '../../vocabulary/faults.ts';
import type { MemberRole } from '../../vocabulary/member-roles.ts';
import type { Scope } from '../../vocabulary/scopes.ts';
import type { HeaderName } from './headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

export const tags = {
  Statistics: 'Plays and playback time of your videos.',
  'Video information': 'Folders, packages and their videos, with details and thumbnails.',
  Collecting: 'Where players report playback: beacons, CMCD events and player logs.',
  Account: 'The settings of your account, and the ledger of its beacons.',
  People: 'Who may see and change the account, and what people set for themselves.',
  Shares: 'Links that show one view of the dashboard to anybody.',
  'Annotations and views': 'What happened beside the statistics, and views of the dashboard.',
  'Alerts and reports': 'What your account is notified of, and the log of the messages.',
  'API keys': 'Create, replace and revoke the keys of your account.',
  'Signed views': 'The keys by which your server vouches for views.',
  Folders: 'Folders hold the original videos.',
  Videos: 'Add, change and delete original videos and their thumbnails.',
  Packages: 'Packages select videos for distribution; in a package a video has its `videoKey`.',
  Dashboard: 'What the pages of the dashboard ask besides: signing in, and what a share shows.',
  Service: 'Health, metrics, the OpenAPI document, and what operators of the service do.',
} as const;
export type Tag = keyof typeof tags;

export interface Operation {
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** What a key has to be allowed; without it, no key is asked for. */
  readonly scope?: Scope;
  /** The least role of a member who may, as in the operation's record. */
  readonly role?: MemberRole | 'person' | 'operator';
  /** The path is open, but a key that comes along opens more. */
  readonly keyIsOptional?: boolean;
  /** The link of a share opens it too, as far as that shows it. */
  readonly isForShares?: boolean;
  readonly path?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  /** By content type. */
  readonly body?: Readonly<Record<string, TSchema>>;
  readonly bodyIsOptional?: boolean;
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** The errors particular to it; those of every path or of its key come by themselves. */
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
export function createTemplate(url: string): string {
  return url.replaceAll(/:([A-Za-z]+)/g, '{$1}');
}
