import type { CallOptions, Connection } from './connection.ts';
import type { SharedView, SignedIn, SignIn } from './interface.ts';

/**
 * What the pages of the dashboard ask besides. The requests need its headers and cookies, which
 * its `fetch` adds: `x-requested-with`, and for a share `x-playmeter-share`.
 */
export interface Dashboard {
  /** Exchanges the key of this client, or a link that works once, for a cookie. */
  signIn(by?: SignIn, options?: CallOptions): Promise<SignedIn>;
  /** Undefined: nobody. */
  signedIn(options?: CallOptions): Promise<SignedIn | undefined>;
  signOut(options?: CallOptions): Promise<void>;
  /** What the share shows that the requests are sent with. */
  sharedView(options?: CallOptions): Promise<SharedView>;
}

const session = '/session';

export function dashboardOf(connection: Connection): Dashboard {
  const get = async <Body>(path: string, options: CallOptions = {}) =>
    (await connection.get<Body>(path, {}, options)).body;
  return {
    signIn: async (by = {}, options = {}) =>
      (await connection.post<SignedIn>(session, by, options)).body,
    signedIn: (options) => get(session, options),
    async signOut(options = {}) {
      await connection.change('DELETE', session, undefined, options);
    },
    sharedView: (options) => get('/shared-view', options),
  };
}
