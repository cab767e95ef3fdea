/** A real OIDC provider on this machine, where whoever types a name is let in under it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface TestProvider {
  readonly issuer: string;
  /** What it says of somebody from then on. */
  readonly claims: Map<string, Record<string, unknown>>;
  /** As a browser goes there and signs in; resolves to where it is sent back. */
  signIn(url: string, name: string): Promise<URL>;
  stop(): Promise<void>;
}

export const client = { id: 'playmeter', secret: 'a secret of the client' };

export async function startOidcProvider(redirectUri: string): Promise<TestProvider> {
  const claims = new Map<string, Record<string, unknown>>();
  const server: Server = createServer((request, response) => handle?.(request, response));
  let handle: ReturnType<Provider['callback']> | undefined;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: client.id, client_secret: client.secret },
        redirect_uris: [redirectUri],
      },
    ],
    claims: {
      ...{ openid: ['sub'], email: ['email', 'email_verified'] },
      ...{ profile: ['name'], groups: ['groups'] },
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    cookies: { keys: ['a key of the cookies'] },
    pkce: { required: () => true },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...claims.get(sub) }),
    }),
  });
  handle = provider.callback();
  return {
    ...{ issuer, claims },
    signIn: (url, name) => visit(url, name, redirectUri),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Follows the provider's own pages: one that asks for the name, one that asks for consent. */
async function visit(start: string, name: string, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = new URL(start);
  let form: URLSearchParams | undefined;
  for (let steps = 0; steps < 12; steps += 1) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [cookie = '', value = ''] = line.split(';')[0]?.split(/=(.*)/s) ?? [];
      if (value === '') cookies.delete(cookie);
      else cookies.set(cookie, value);
    }
    form = undefined;
    const to = response.headers.get('location');
    if (to !== null) {
      next = new URL(to, next);
      if (next.href.startsWith(redirectUri)) return next;
      continue;
    }
    const page = await response.text();
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (prompt === undefined) throw new Error(`The provider shows ${response.status}: ${page}`);
    form = new URLSearchParams({ prompt, login: name, password: 'any' });
  }
  throw new Error('The provider goes round in circles');
}
