/** Pages, scripts and media, which anybody may ask for: limited by address, and sent once. */
import { expect, onTestFinished, test } from 'vitest';
import { listRoutes } from '../../src/http/app.ts';
import { startTestService, type TestService } from '../support/service.ts';

const perMinute = 3;

async function start(environment: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService({ environment });
  onTestFinished(() => service.stop());
  return service;
}

/** Those outside the interface, and what is in it for them. */
const { others } = await listRoutes();
const ofPages = ['/openapi.json', '/session', '/shared-view'];
const pages = [...ofPages, ...others];

test('every page counts against the limit of its address, and nothing else does', {
  tags: 'long',
}, async () => {
  const service = await start({ PAGE_LIMIT_PER_MINUTE: String(perMinute), TRUST_PROXY: '1' });
  const ask = (path: string, address: string) =>
    fetch(service.url + path.replaceAll(/:[A-Za-z]+/g, 'x').replace('*', 'x'), {
      headers: { 'x-forwarded-for': address },
      redirect: 'manual',
    });
  for (const [number, page] of pages.entries()) {
    const address = `203.0.113.${number}`;
    for (let asked = 0; asked < perMinute; asked += 1) {
      expect((await ask(page, address)).status, page).not.toBe(429);
    }
    const refused = await ask(page, address);
    expect(refused.status, page).toBe(429);
    expect(refused.headers.get('ratelimit-policy')).toBe(`"address";q=${perMinute};w=60`);
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
    expect((await ask('/healthz', address)).status).toBe(200);
  }
});

test('a reader who has a page learns that it has not changed', async () => {
  const service = await start();
  for (const path of ['/openapi.json', '/docs', '/docs/search.json']) {
    const first = await service.request(path);
    const text = await first.text();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    const headers = { 'if-none-match': `"other", W/${etag}` };
    const again = await fetch(service.url + path, { headers });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    const changed = await fetch(service.url + path, { headers: { 'if-none-match': '"other"' } });
    expect(changed.status).toBe(200);
    expect(await changed.text()).toBe(text);
  }
});
