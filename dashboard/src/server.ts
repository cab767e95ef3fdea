/** The public interface, through its client; a cookie or a share takes the place of a key. */
import { Playmeter } from '../../client/src/index.ts';
import { errorOfAnswer } from '../../client/src/playmeter-error.ts';
import { heed, ownHeaders, reach } from './session.ts';
import { shareToken } from './sharing/share-token.ts';

const rights: Record<string, string> =
  shareToken === undefined ? ownHeaders : { 'x-playmeter-share': shareToken };

export const server = new Playmeter({ url: location.origin, fetch: asPerson, retries: 2 });

/** Without a key the client sends text; those addresses that the dashboard asks take JSON. */
async function asPerson(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const isJson = typeof init.body === 'string';
  const type: Record<string, string> = isJson ? { 'content-type': 'application/json' } : {};
  return heed(await fetch(input, { ...init, headers: { ...init.headers, ...rights, ...type } }));
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** What is for this page alone, and no part of the interface. */
export async function askForPage<Body>(path: string, signal: AbortSignal): Promise<Body> {
  const response = await reach(path, { headers: rights, signal });
  const text = await response.text();
  if (!response.ok) throw errorOfAnswer(response, text);
  return JSON.parse(text) as Body;
}

export async function fetchCsv(path: string, query: Query): Promise<Blob> {
  const headers = { accept: 'text/csv', ...rights };
  const response = heed(await reach(addressOf(path, query), { headers }));
  if (!response.ok) throw errorOfAnswer(response, await response.text());
  return response.blob();
}

function addressOf(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}
