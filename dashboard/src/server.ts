/** The public interface, through its client; a person's cookie takes the place of a key. */
import { Playmeter } from '../../client/src/index.ts';
import { errorOfAnswer } from '../../client/src/playmeter-error.ts';
import { ownHeaders } from './session.ts';

export const server = new Playmeter({ url: location.origin, fetch: asPerson, retries: 2 });

/** Without a key the client sends text; those addresses that the dashboard asks take JSON. */
function asPerson(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const isJson = typeof init.body === 'string';
  const type: Record<string, string> = isJson ? { 'content-type': 'application/json' } : {};
  return fetch(input, { ...init, headers: { ...init.headers, ...ownHeaders, ...type } });
}

type Query = Readonly<Record<string, string | number | undefined>>;

export async function fetchCsv(path: string, query: Query): Promise<Blob> {
  const response = await asPerson(addressOf(path, query), { headers: { accept: 'text/csv' } });
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
