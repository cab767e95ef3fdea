/** The public interface, through its client; a cookie or a share takes the place of a key. */
import { Playmeter } from '../../client/src/index.ts';
import { accountInUrl } from './account-in-url.ts';
import { heed } from './session-end.ts';
import { shareToken } from './sharing/share-token.ts';

/** The cookie authorises only requests that say whose they are; see src/http/authentication/session-cookie.ts. */
const rights: Record<string, string> =
  shareToken === undefined
    ? { 'x-requested-with': 'playmeter' }
    : { 'x-playmeter-share': shareToken };
const filesTimeoutMs = 600_000;

const url = location.origin;
const asMember: typeof fetch = (input, init) => asPage(input, init, accountHeader());
const asPerson: typeof fetch = async (input, init) => heed(await asMember(input, init));

export const server = new Playmeter({ url, fetch: asPerson, retries: 2 });

/** For questions, which the page itself asks again: while it does, it says why there is no answer. */
export const asking = new Playmeter({ url, fetch: asPerson, retries: 0 });

/** For what is long and on its way for a while. */
export const files = new Playmeter({
  ...{ url, fetch: asPerson, retries: 2, timeoutMs: filesTimeoutMs },
});

/** For what is answered 401 where a password or a code is wrong, and nobody is signed in: once. */
export const whoever = new Playmeter({ url, fetch: asMember, retries: 0 });

/** For signing in and out: of no account yet, and a key that is wrong ends no session. */
export function signingIn(key?: string): Playmeter {
  const fetch: typeof globalThis.fetch = (input, init) => asPage(input, init);
  return new Playmeter({ url, fetch, retries: 0, ...(key !== undefined && { key }) });
}

function accountHeader(): Record<string, string> {
  const accountId = accountInUrl();
  return accountId === undefined ? {} : { 'x-playmeter-account': accountId };
}

/** Without a key the client sends text; those paths that the dashboard asks take JSON. */
function asPage(
  input: RequestInfo | URL,
  init: RequestInit = {},
  more: Record<string, string> = {},
): Promise<Response> {
  const isJson = typeof init.body === 'string';
  const type: Record<string, string> = isJson ? { 'content-type': 'application/json' } : {};
  return fetch(input, { ...init, headers: { ...init.headers, ...rights, ...type, ...more } });
}
