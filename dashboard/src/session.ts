/** Who is signed in. The key is exchanged for a cookie that no script reads, and is never kept. */
import { PlaymeterError } from '../../client/src/index.ts';
import { errorOfAnswer } from '../../client/src/playmeter-error.ts';
import type { SharedView } from './sharing/shared-view.ts';

export interface Person {
  readonly accountId: number;
  readonly name: string;
  readonly timeZone: string;
  readonly keyId: number;
  readonly keyName: string;
  readonly scopes: readonly string[];
  /** What there is to see, if this is whoever has the link of a share. */
  readonly shared?: SharedView;
}

/** The cookie authorises only requests that say whose they are; see src/api/session-cookie.ts. */
export const ownHeaders = { 'x-requested-with': 'playmeter' };

export function whoIsSignedIn(): Promise<Person | null> {
  return ask('GET').catch((error) => {
    if (error instanceof PlaymeterError && error.code === 'UNAUTHENTICATED') return null;
    throw error;
  });
}

export function signInWithKey(key: string): Promise<Person | null> {
  return ask('POST', { headers: { 'x-api-key': key } });
}

export function signInWithLink(link: string): Promise<Person | null> {
  const headers = { 'content-type': 'application/json' };
  return ask('POST', { headers, body: JSON.stringify({ link }) });
}

export async function signOut(): Promise<void> {
  await ask('DELETE');
}

/** The link of a first start. It is taken out of the address before anybody can copy it. */
export function takeLink(): string | undefined {
  const link = /^#sign-in=([\w-]+)$/.exec(location.hash)?.[1];
  if (link !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return link;
}

const ended = 'playmeter-session-ended';

/** What an answer says of the session, whatever was asked. */
export function heed(response: Response): Response {
  if (response.status === 401) window.dispatchEvent(new Event(ended));
  return response;
}

export function onSessionEnd(notice: () => void): () => void {
  window.addEventListener(ended, notice);
  return () => window.removeEventListener(ended, notice);
}

/** Says in the interface's own words that there was no answer. */
export async function reach(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (cause) {
    throw new PlaymeterError('NETWORK', 'There was no answer', { cause });
  }
}

async function ask(method: string, init: RequestInit = {}): Promise<Person | null> {
  const headers = { ...ownHeaders, ...init.headers };
  const response = await reach('/session', { ...init, method, headers });
  const text = await response.text();
  if (!response.ok) throw errorOfAnswer(response, text);
  return text === '' ? null : (JSON.parse(text) as Person);
}
