/** Who is signed in. Keys and passwords are exchanged for a cookie that no script reads. */
import {
  type Acceptance,
  PlaymeterError,
  type Reset,
  type SharedView,
  type SignedIn,
  type SignIn,
} from '../../client/src/index.ts';
import { forgetAccount, nameAccount } from './account-in-url.ts';
import { signingIn, whoever } from './server.ts';

export interface Person extends SignedIn {
  /** What there is to see, if this is whoever has the link of a share. */
  readonly shared?: SharedView;
}

export async function whoIsSignedIn(): Promise<Person | null> {
  try {
    const person = await whoever.dashboard.signedIn();
    if (person?.accounts?.length) nameAccount(person.accountId);
    else if (person?.person?.isOperator && location.pathname === '/') {
      history.replaceState(history.state, '', '/service');
    }
    return person ?? null;
  } catch (error) {
    if (error instanceof PlaymeterError && error.code === 'UNAUTHENTICATED') return null;
    throw error;
  }
}

export const signInWithKey = (key: string) => signingIn(key).dashboard.signIn();
/** By a password, or by a link that signs in once. */
export const signIn = (by: SignIn) => signingIn().dashboard.signIn(by);
export const signInWays = () => signingIn().dashboard.signInWays();
export const sendForgotten = (email: string) => signingIn().dashboard.forgotten({ email });
export const resetPassword = (by: Reset) => signingIn().dashboard.resetPassword(by);
export const confirmEmail = (link: string) => signingIn().dashboard.confirmEmail(link);
export const openInvitation = (invitation: string) =>
  signingIn().dashboard.openInvitation({ invitation });
export const acceptInvitation = (by: Acceptance) => signingIn().dashboard.acceptInvitation(by);

export async function signOut(): Promise<void> {
  await signingIn().dashboard.signOut();
  forgetAccount();
}

/** The browser goes there, and comes back signed in. */
export async function goToProvider(invitation?: string): Promise<void> {
  const by = invitation === undefined ? {} : { invitation };
  location.assign((await signingIn().dashboard.startProvider(by)).url);
}

export interface OpenedLink {
  readonly kind: 'sign-in' | 'invitation' | 'reset' | 'email' | 'sign-in-refused' | 'forgotten';
  /** Its secret, or why the provider signed nobody in. */
  readonly value: string;
}

const linkForm = /^#(sign-in|invitation|reset|email|sign-in-refused|forgotten)(?:=([\w-]+))?$/;

/** A link that is opened in a tab where the dashboard is open already changes the fragment alone. */
export function openLinksAnew(): () => void {
  const open = () => {
    if (linkForm.test(location.hash)) location.reload();
  };
  window.addEventListener('hashchange', open);
  return () => window.removeEventListener('hashchange', open);
}

/** What a link is for. It is taken out of the URL before anybody can copy it. */
export function takeLink(): OpenedLink | undefined {
  const [, kind, value = ''] = linkForm.exec(location.hash) ?? [];
  if (kind === undefined) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return { kind: kind as OpenedLink['kind'], value };
}
