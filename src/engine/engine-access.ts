import { join } from 'node:path';

/** Where the bundled engine is, and what it asks for. */
export interface EngineAccess {
  readonly url: string;
  readonly username: string;
  readonly password: string;
}

/** The header by which requests to the engine are let in. */
export function authorizationOf({ username, password }: Omit<EngineAccess, 'url'>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Holds the access of the running engine, for the command line's verbs. */
export function accessFile(folder: string): string {
  return join(folder, 'access.json');
}
