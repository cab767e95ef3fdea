/** The cookie of a person who is signed in at the dashboard, and which requests it authorises. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pageHeader, pageHeaderValue } from '../../wire/management/sessions.ts';

type Headers = Pick<FastifyRequest, 'headers'>;
type Read = Pick<FastifyRequest, 'headers' | 'protocol'>;

/**
 * A browser takes the first of these over TLS only, and from no neighbouring host. The other one a
 * neighbour can set for this host as well, so over TLS it does not count.
 */
const overTls = '__Host-playmeter';
const inTheClear = 'playmeter';

/**
 * The token of the session; undefined also if the request is not the dashboard's own. Pages of
 * other sites can make a browser send requests, but not with this header: for that it would first
 * ask (CORS), and the answer does not name it. The cookie is not sent for them either.
 */
export function readSession(request: Read): string | undefined {
  return isFromDashboard(request) ? nameCookie(request) : undefined;
}

export function isFromDashboard({ headers }: Headers): boolean {
  const site = headers['sec-fetch-site'] ?? 'same-origin';
  return headers[pageHeader] === pageHeaderValue && site === 'same-origin';
}

export function setSession(
  request: Pick<FastifyRequest, 'protocol'>,
  reply: FastifyReply,
  session: { readonly token: string; readonly expiresAt: Date },
): void {
  write(request, reply, `${session.token}; Expires=${session.expiresAt.toUTCString()}`);
}

export function clearSession(request: Pick<FastifyRequest, 'protocol'>, reply: FastifyReply): void {
  write(request, reply, '; Max-Age=0');
}

/**
 * What is kept while a browser is at the OIDC provider, sealed. Unlike the session's it is sent
 * when the provider sends the browser back.
 */
const errandSuffix = '-errand';
export const errandSeconds = 600;

export function readErrand({ headers, protocol }: Read): string | undefined {
  return parseCookies(headers).get(nameBy(protocol) + errandSuffix) || undefined;
}

export function setErrand(
  request: Pick<FastifyRequest, 'protocol'>,
  reply: FastifyReply,
  sealed: string,
): void {
  write(request, reply, `${sealed}; Max-Age=${errandSeconds}`, errandSuffix);
}

export function clearErrand(request: Pick<FastifyRequest, 'protocol'>, reply: FastifyReply): void {
  write(request, reply, '; Max-Age=0', errandSuffix);
}

function nameBy(protocol: string): string {
  return protocol === 'https' ? overTls : inTheClear;
}

/** Beside any other that the answer sets. */
function write(
  { protocol }: Pick<FastifyRequest, 'protocol'>,
  reply: FastifyReply,
  value: string,
  suffix: '' | typeof errandSuffix = '',
): void {
  const sameSite = suffix === '' ? 'Strict' : 'Lax';
  const secure = protocol === 'https' ? '; Secure' : '';
  const cookie = `${nameBy(protocol)}${suffix}=${value}`;
  reply.header('set-cookie', `${cookie}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`);
}

function nameCookie({ headers, protocol }: Read): string | undefined {
  const cookies = parseCookies(headers);
  const ofTls = cookies.get(overTls) || undefined;
  return protocol === 'https' ? ofTls : ofTls || cookies.get(inTheClear) || undefined;
}

function parseCookies(headers: Headers['headers']): ReadonlyMap<string, string> {
  return new Map(
    (headers.cookie ?? '').split(';').map((text) => {
      const [name = '', value = ''] = text.trim().split('=', 2);
      return [name, value] as const;
    }),
  );
}
