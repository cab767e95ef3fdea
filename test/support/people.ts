/** People who are signed in, for tests of a whole service. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog, Standing } from '../../src/catalog/catalog.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';

export const dashboard = { 'x-requested-with': 'playmeter', 'sec-fetch-site': 'same-origin' };
export const place = { device: 'Firefox, Linux', address: '192.0.2.1', country: '' };

export interface TestPerson {
  readonly personId: number;
  readonly token: string;
  /** Of a request that the dashboard sends for them. */
  readonly headers: Readonly<Record<string, string>>;
}

let made = 0;

/** A member of an account, signed in; without a role, of none. */
export async function addPerson(
  catalog: Catalog,
  membership?: { readonly accountId: number; readonly role: Standing['role'] } & Partial<Standing>,
  isOperator = false,
): Promise<TestPerson> {
  made += 1;
  const email = `person${made}@example.com`;
  const person = { email, name: `Person ${made}`, language: 'en' as const, isOperator };
  const { personId } = accepted(await catalog.people.create(person));
  if (membership) {
    const { accountId, role, packageIds } = membership;
    accepted(await catalog.memberships.put({ accountId, personId, role, packageIds }));
  }
  const { token } = await catalog.sessions.beginFor(personId, place);
  return { personId, token, headers: { ...dashboard, cookie: `playmeter=${token}` } };
}

/** The first person of a service that was just started without a terminal: operator, and owner. */
export async function becomeFirst(service: { readonly url: string; readonly dataFolder: string }) {
  const text = await readFile(join(service.dataFolder, 'first-sign-in.txt'), 'utf8');
  const [, invitation] = /#invitation=([\w-]+)/.exec(text) ?? [];
  const first = { name: 'Kim', email: 'kim@example.com', password: 'three river stones' };
  const joined = await fetch(`${service.url}/session/acceptance`, {
    method: 'POST',
    headers: { ...dashboard, 'content-type': 'application/json' },
    body: JSON.stringify({ invitation, ...first }),
  });
  const [cookie = ''] = (joined.headers.get('set-cookie') ?? '').split(';');
  return { ...dashboard, cookie };
}
