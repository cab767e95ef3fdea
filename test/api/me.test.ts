/** What an operator sees of the way that requests take. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const inBerlin = '141.20.1.1';
let service: TestService;
let account: TestAccount;

async function me(headers: Record<string, string> = {}) {
  const sent = { ...headers, 'x-api-key': account.key };
  const answer = await service.request('/manage/v1/me', { headers: sent });
  expect(answer.status).toBe(200);
  return answer.json();
}

describe('behind a trusted proxy', () => {
  beforeAll(async () => {
    const environment = { TRUST_PROXY: 'loopback', GEO_HEADER: 'CF-IPCountry' };
    service = await startTestService({ environment });
    account = await service.addAccount();
  });
  afterAll(() => service.stop());

  test('the address and the country that the proxy tells', async () => {
    expect(await me({ 'x-forwarded-for': inBerlin, 'cf-ipcountry': 'FR' })).toEqual({
      summary:
        `You come from ${inBerlin} by X-Forwarded-For of the trusted proxy 127.0.0.1, ` +
        'country FR by the header of the proxy',
      ...{ address: inBerlin, addressBy: 'X-Forwarded-For' },
      ...{ connection: '127.0.0.1', isTrustedProxy: true, ignoredHeaders: [] },
      ...{ country: 'FR', countryBy: 'GEO_HEADER', attribution: null },
    });
  });

  test('a header that tells no country is ignored, and the database asked', async () => {
    expect(await me({ 'x-forwarded-for': inBerlin, 'cf-ipcountry': 'XX' })).toMatchObject({
      ...{ country: 'DE', countryBy: 'service', ignoredHeaders: ['cf-ipcountry'] },
      attribution: 'IP Geolocation by DB-IP (https://db-ip.com)',
    });
  });

  test('a proxy that writes another header is noticed', async () => {
    expect(await me({ 'x-real-ip': inBerlin, forwarded: `for=${inBerlin}` })).toEqual({
      summary:
        "You come from 127.0.0.1 by the connection, which is a trusted proxy's, country not known",
      ...{ address: '127.0.0.1', addressBy: 'connection' },
      ...{ connection: '127.0.0.1', isTrustedProxy: true },
      ignoredHeaders: ['x-real-ip', 'forwarded'],
      ...{ country: null, countryBy: 'nothing', attribution: null },
    });
  });
});

describe('behind a proxy that is not trusted', () => {
  beforeAll(async () => {
    service = await startTestService({ environment: { GEO_HEADER: 'CF-IPCountry' } });
    account = await service.addAccount();
  });
  afterAll(() => service.stop());

  test('nothing it says is believed', async () => {
    expect(await me({ 'x-forwarded-for': inBerlin, 'cf-ipcountry': 'FR' })).toEqual({
      summary:
        "You come from 127.0.0.1 by the connection, which is no trusted proxy's, country not known",
      ...{ address: '127.0.0.1', addressBy: 'connection' },
      ...{ connection: '127.0.0.1', isTrustedProxy: false },
      ignoredHeaders: ['x-forwarded-for', 'cf-ipcountry'],
      ...{ country: null, countryBy: 'nothing', attribution: null },
    });
  });
});
