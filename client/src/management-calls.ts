/** Requests of the management interface, whose paths begin after its own. */
import type { CallOptions, Connection } from './connection.ts';

const root = '/manage/v1';

export type ManagementCalls = ReturnType<typeof managementCalls>;

export function managementCalls(connection: Connection) {
  return {
    get: async <Body>(path: string, query: object = {}, options: CallOptions = {}) =>
      (await connection.get<Body>(root + path, { ...query }, options)).body,
    /** Happens once, however often it has to be sent. */
    add: async <Body>(path: string, message: object, options: CallOptions = {}) => {
      const once = { ...options, idempotencyKey: crypto.randomUUID() };
      return (await connection.post<Body>(root + path, message, once)).body;
    },
    /** Happens as often as it is sent. */
    send: async <Body>(path: string, message: object, options: CallOptions = {}) =>
      (await connection.post<Body>(root + path, message, options)).body,
    change: async <Body>(
      method: 'PUT' | 'PATCH',
      path: string,
      message: object | undefined,
      options: CallOptions = {},
    ) => (await connection.change<Body>(method, root + path, message, options)).body,
    remove: async <Body>(path: string, options: CallOptions = {}) =>
      (await connection.change<Body>('DELETE', root + path, undefined, options)).body,
  };
}
