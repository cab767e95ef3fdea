import type { CallOptions, Connection } from './connection.ts';
import type {
  Acceptance,
  Forgotten,
  OpenInvitation,
  ProviderStart,
  ProviderUrl,
  Reset,
  SharedView,
  ShownInvitation,
  SignedIn,
  SignIn,
  SignInWays,
} from './interface.ts';

/**
 * What the pages of the dashboard ask besides. The requests need its headers and cookies, which
 * its `fetch` adds: `x-requested-with`, and for a share `x-playmeter-share`.
 */
export interface Dashboard {
  /** Exchanges a password, the key of this client or a link that works once for a cookie. */
  signIn(by?: SignIn, options?: CallOptions): Promise<SignedIn>;
  /** Undefined: nobody. */
  signedIn(options?: CallOptions): Promise<SignedIn | undefined>;
  signOut(options?: CallOptions): Promise<void>;
  /** In which ways somebody can sign in. */
  signInWays(options?: CallOptions): Promise<SignInWays>;
  /** Resolves alike, whether somebody has the address or not. */
  forgotten(of: Forgotten, options?: CallOptions): Promise<void>;
  /** From then on it is the address of the person; signs nobody in. */
  confirmEmail(link: string, options?: CallOptions): Promise<void>;
  /** By the link of a mail; signs in. */
  resetPassword(by: Reset, options?: CallOptions): Promise<SignedIn>;
  /** What an invitation is to. */
  openInvitation(by: ShownInvitation, options?: CallOptions): Promise<OpenInvitation>;
  acceptInvitation(by: Acceptance, options?: CallOptions): Promise<SignedIn>;
  /** Where the browser goes to sign in by the OIDC provider. */
  startProvider(by?: ProviderStart, options?: CallOptions): Promise<ProviderUrl>;
  /** What the share shows that the requests are sent with. */
  sharedView(options?: CallOptions): Promise<SharedView>;
}

const session = '/session';

export function dashboardOf(connection: Connection): Dashboard {
  const get = async <Body>(path: string, options: CallOptions = {}) =>
    (await connection.get<Body>(path, {}, options)).body;
  const post = async <Body>(path: string, message: object, options: CallOptions = {}) =>
    (await connection.post<Body>(session + path, message, options)).body;
  return {
    signIn: (by = {}, options) => post('', by, options),
    signedIn: (options) => get(session, options),
    async signOut(options = {}) {
      await connection.change('DELETE', session, undefined, options);
    },
    signInWays: (options) => get(`${session}/ways`, options),
    forgotten: (of, options) => post('/forgotten', of, options),
    confirmEmail: (link, options) => post('/email', { link }, options),
    resetPassword: (by, options) => post('/reset', by, options),
    openInvitation: (by, options) => post('/invitation', by, options),
    acceptInvitation: (by, options) => post('/acceptance', by, options),
    startProvider: (by = {}, options) => post('/oidc', by, options),
    sharedView: (options) => get('/shared-view', options),
  };
}
