import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { reportedCountry } from '../server/sender-address.ts';
import { createSenderReader } from './sender.ts';

const proxy = '10.0.3.7';

function senderOf(headers: IncomingHttpHeaders, address = '', connected = proxy) {
  const country = reportedCountry('CF-IPCountry', (one) => one === proxy);
  const socket = { remoteAddress: connected };
  return createSenderReader(country)({ headers, socket }, address);
}

test('a sender has the address of its request', () => {
  expect(senderOf({}, '2001:db8::1')).toMatchObject({
    address: '2001:db8::1',
    network: '2001:db8:0:0',
  });
});

test.each<[IncomingHttpHeaders, string | undefined]>([
  [{}, undefined],
  [{ origin: 'https://a.example' }, 'https://a.example'],
  [{ origin: 'null', referer: 'https://b.example/' }, 'null'],
  [{ origin: 'https://a.example', 'sec-fetch-site': 'none' }, 'https://a.example'],
  // An <img>, and what browsers and others write of where it is.
  [{ referer: 'https://A.example:443/lesson?of=https://b.example' }, 'https://a.example'],
  [{ referer: 'http://a.example:8080' }, 'http://a.example:8080'],
  [{ referer: 'https://a.example#https://b.example' }, 'https://a.example'],
  [{ referer: 'view-source:https://a.example/' }, 'null'],
  [{ referer: 'about:blank', 'sec-fetch-site': 'none' }, 'null'],
  [{ referer: '' }, 'null'],
  [{ 'sec-fetch-site': 'none' }, undefined],
  [{ 'sec-fetch-site': 'same-origin' }, undefined],
  [{ 'sec-fetch-site': 'same-site' }, 'null'],
  [{ 'sec-fetch-site': 'cross-site' }, 'null'],
])('%j: caused by a page of %j', (headers, origin) => {
  expect(senderOf(headers).origin).toBe(origin);
});

test('of what says which system it is the first counts', () => {
  const headers = { 'sec-ch-ua-platform': ['"Android"', '"iOS"'], 'user-agent': 'one' };
  const version = { 'sec-ch-ua-platform-version': '"14"' };
  expect(senderOf({ ...headers, ...version })).toMatchObject({
    ...{ platform: '"Android"', platformVersion: '"14"', userAgent: 'one' },
  });
});

test.each([
  [{}, false],
  [{ 'sec-gpc': '1' }, true],
  [{ dnt: '1' }, true],
  [{ dnt: '1', 'sec-gpc': '0' }, true],
  [{ dnt: '0', 'sec-gpc': '?1' }, false],
])('%j: wants no tracking %j', (headers, wantsNoTracking) => {
  expect(senderOf(headers)).toMatchObject({ wantsNoTracking });
});

test.each([
  ['DE', proxy, 'DE'],
  ['kr', proxy, 'KR'],
  ['XK', proxy, 'XK'],
  // Cloudflare's for Tor and for what it does not know; no country; two headers.
  ['T1', proxy, undefined],
  ['XX', proxy, undefined],
  ['UK', proxy, undefined],
  ['Germany', proxy, undefined],
  ['DE, FR', proxy, undefined],
  ['', proxy, undefined],
  [undefined, proxy, undefined],
  ['DE', '203.0.113.9', undefined],
])('the header says %j from %s: the country is %j', (header, connected, country) => {
  expect(senderOf({ 'cf-ipcountry': header }, '203.0.113.9', connected).country).toBe(country);
});

test('without the setting no header is believed', () => {
  const country = reportedCountry(undefined, () => true);
  expect(country({ headers: { 'cf-ipcountry': 'DE' }, socket: {} })).toBeUndefined();
});
