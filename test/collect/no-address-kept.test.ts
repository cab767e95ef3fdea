/**
 * No address of a viewer, and no name that a site has for one, is stored or logged as it was sent:
 * searched for in all that a service leaves behind.
 */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Playmeter } from '../../client/src/index.ts';
import { openService, type Service } from '../../src/app/service.ts';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { claimsFor, tokenOf } from '../support/view-token.ts';
import { waitUntil } from '../support/wait-until.ts';

/** None of these is anywhere else; the last is reported by a sender with a key. */
const addresses = ['203.0.113.77', '198.51.100.123', '2001:db8:dead:beef::77', '192.0.2.231'];
/** Of the viewers with names. */
const networkOfNamed = '198.18.7.';
/** Each as text, as a number, as bytes, and what else is made of the one of IPv6. */
const traces: readonly Buffer[] = [
  ...addresses,
  networkOfNamed,
  ...['2001:db8:dead:beef', '2001:0db8:dead:beef', '20010db8deadbeef'],
  ...['203.0.113.0', '198.51.100.0', '192.0.2.0', '2001:db8:dead'],
  ...['3405803853', '3325256827', '3221226215', 'cb00714d', 'c633647b', 'c00002e7'],
].map((text) => Buffer.from(text));
const networkAsBytes = Buffer.from('20010db8deadbeef', 'hex');

/** By the page, by a token and by a server with a key; none of these is anywhere else. */
const viewers = [
  'ann-of-the-page@to-be-lost',
  'bob-of-a-token@to-be-lost',
  'cid-by-key@to-be-lost',
];
const [ofPage, ofToken = '', byKey] = viewers;
/** A token holds the name in base64, in one of three forms by what stands before it. */
const names = viewers.flatMap((viewer) => [
  viewer,
  ...[0, 1, 2].map((before) => encodedAfter(before, viewer)),
]);

function encodedAfter(before: number, text: string): string {
  const encoded = Buffer.from(' '.repeat(before) + text).toString('base64url');
  return encoded.slice(before === 0 ? 0 : 4, -4);
}

const searched = [...traces, networkAsBytes, ...names.map((name) => Buffer.from(name))];
const found = (bytes: Buffer) => searched.filter((trace) => bytes.includes(trace)).map(String);

const page = 'https://to-be-found.example/a';
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const log: string[] = [];
let folder: string;
let service: Service;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-addresses-'));
  const config = readConfig({
    DATA_DIR: folder,
    TRUST_PROXY: 'loopback',
    // So that playback of an address is set apart, and its requests refused.
    USUAL_VIEWS_BY_ADDRESS: '1',
    COLLECT_LIMIT_PER_MINUTE: '12',
  });
  const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
  // An erasure waits for as long as it looks back.
  const pace = { lookBackMs: 700 };
  service = await openService({ config, clock: systemClock, logger, pace });
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  await service.facts.ready();
  url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function addVideo() {
  const { catalog } = service;
  const named = { name: 'To be found too', timeZone: 'UTC' };
  const { accountId } = accepted(await catalog.accounts.create(named));
  const scopes = ['collect:write', 'stats:read', 'manage'] as const;
  const { secret } = accepted(await catalog.keys.create({ accountId, scopes }));
  const { folderId } = accepted(await catalog.folders.create(accountId, { folderName: 'Films' }));
  const { accessKey } = accepted(
    await catalog.videos.create(accountId, { folderId, title: 'Film' }),
  );
  const fields = { packageName: 'Site', packageType: 'VOD' as const };
  const { packageId } = accepted(await catalog.packages.create(accountId, fields));
  const publication = await catalog.publications.publish({ accountId, packageId, accessKey });
  return { secret, videoKey: accepted(publication).videoKey };
}

/** Everything that a viewer can send, also what is refused; each several times. */
async function sendFrom(address: string, videoKey: string): Promise<number[]> {
  const headers = { 'x-forwarded-for': address, 'user-agent': userAgent };
  const statuses: number[] = [];
  const send = async (path: string, type?: string, body?: string) => {
    const contentType = type === undefined ? {} : { 'content-type': type };
    const method = body === undefined ? 'GET' : 'POST';
    const init = { method, headers: { ...headers, ...contentType }, ...(body && { body }) };
    const answer = await fetch(url + path, init);
    statuses.push(answer.status);
    return answer;
  };
  const at = new Date(Date.now() - 60_000).toISOString();
  const beacon = { stretch: 0, at, playMs: 1_000, videoKey, page, referrer: page };
  const beacons = (...views: string[]) =>
    JSON.stringify({ beacons: views.map((view) => ({ ...beacon, view: view + address })) });
  // Of many views at once, some are set apart under a name made of the address.
  await send('/collect/v1/beacons', 'text/plain', beacons('1', '2', '3', '4', '5', '6'));
  await send('/collect/v1/beacons', 'text/plain; charset=UTF-8', beacons('7', '8'));
  await send('/collect/v1/beacons', 'text/plain', '{"beacons":[{"address":"x"},{}]}');
  await send('/collect/v1/beacons', 'text/plain', 'no JSON');
  await send('/collect/v1/beacons', 'text/html', 'of no use');
  const line = `e=ps,sid="x",sn=0,sta=p,ts=${Date.now() - 9_000},v=2`;
  const next = `e=ps,sid="x",sn=1,sta=a,ts=${Date.now()},v=2`;
  await send(`/collect/v1/cmcd/${videoKey}`, 'application/cmcd', `${line}\n${next}`);
  const info = await send(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await info.json()) as { statsInfo: object };
  const data = JSON.stringify({ e: 'vp', ...statsInfo, dst: 0, det: 0.5 });
  await send(`/play/api/videoPlays?${new URLSearchParams({ data })}`);
  for (let further = 0; further < 6; further += 1) await send('/collect/v1/cmcd/none');
  return statuses;
}

/** Signs for the site, as its server does. */
async function addSigner(key: string, video: string): Promise<(view: string) => string> {
  const { manage } = new Playmeter({ url, key });
  const { secret } = (await manage.addSigningKey({})) as { secret: string };
  return (view) => tokenOf(claimsFor(video, Date.now(), { jti: view, sub: ofToken }), secret);
}

interface Site {
  readonly secret: string;
  readonly videoKey: string;
  readonly tokenFor: (view: string) => string;
}

/** Viewers by name: of the page, of a token, and of a server with a key, with their address. */
async function sendNamed({ secret, videoKey, tokenFor }: Site, playMs: number): Promise<void> {
  const post = async (beacons: readonly object[], headers: Record<string, string>) => {
    const type = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers: { ...type, ...headers } };
    const body = JSON.stringify({ beacons });
    return (await fetch(`${url}/collect/v1/beacons`, { ...init, body })).json();
  };
  const at = new Date(Date.now() - 60_000).toISOString();
  const beacon = { stretch: 0, at, playMs, videoKey, page };
  const named = { ...beacon, view: `of the page ${playMs}`, viewer: ofPage };
  const view = `of-a-token-${playMs}`;
  const vouched = { ...beacon, view, token: tokenFor(view) };
  const seen = { 'user-agent': userAgent, 'x-forwarded-for': networkOfNamed + (playMs % 250) };
  expect(await post([named, vouched], seen)).toEqual({ accepted: 2, rejected: [] });
  const address = addresses.at(-1);
  const byServer = { ...beacon, view: `by key ${playMs}`, viewer: byKey, address };
  const refused = { ...byServer, address: `${address}:80` };
  expect(await post([byServer, refused], { 'x-api-key': secret })).toMatchObject({
    accepted: 1,
    rejected: [{ index: 1 }],
  });
}

/** Facts are there until the engine has them, twice a second. */
async function expectNoneInJournal(site: Site): Promise<void> {
  let journal = '';
  let playMs = 20_000;
  await waitUntil('the facts of all three in the journal', async () => {
    playMs += 1;
    await sendNamed(site, playMs);
    journal = await readJournal();
    return journal.split(`\t${playMs}\t`).length === viewers.length + 1;
  });
  expect(found(Buffer.from(journal, 'latin1'))).toEqual([]);
}

async function readJournal(): Promise<string> {
  const journal = join(folder, 'journal');
  const names = await readdir(journal);
  // A file goes when its facts are in the engine.
  const bytes = names.map((name) => readFile(join(journal, name), 'latin1').catch(() => ''));
  return (await Promise.all(bytes)).join('');
}

/** Every row of every table of the engine, its own logs included, as text. */
async function everyRow(): Promise<string> {
  const read = (sql: string) =>
    service.facts.read<Record<string, string>>({ name: 'test', sql, parameters: {} });
  const tables = await read(
    `SELECT database, name FROM system.tables WHERE engine LIKE '%MergeTree'`,
  );
  const texts: string[] = [];
  for (const { database, name } of tables) {
    const rows = await read(`SELECT toString(tuple(*)) AS row FROM \`${database}\`.\`${name}\``);
    texts.push(...rows.map(({ row }) => String(row)));
  }
  return texts.join('\n');
}

/** The content of all files in it. */
async function bytesIn(place: string): Promise<Buffer[]> {
  const names = await readdir(place, { recursive: true });
  const paths = names.map((name) => join(place, name));
  const isFile = await Promise.all(paths.map(async (path) => (await stat(path)).isFile()));
  return Promise.all(paths.filter((_, index) => isFile[index]).map((path) => readFile(path)));
}

test('no address or name of a viewer is in a store, a journal, a file or the log', async () => {
  const { secret, videoKey } = await addVideo();
  const [, ...others] = [...addresses].reverse();
  for (const address of others) {
    const statuses = await sendFrom(address, videoKey);
    expect(statuses).toEqual(expect.arrayContaining([200, 400, 415, 429]));
  }
  const site = { secret, videoKey, tokenFor: await addSigner(secret, videoKey) };
  await sendNamed(site, 1_000);
  const headers = { 'x-forwarded-for': addresses[0] ?? '', 'x-api-key': 'wrong' };
  await fetch(`${url}/collect/v1/beacons`, { method: 'POST', headers });
  await service.facts.rollUp();

  await expectNoneInJournal(site);
  await service.facts.rollUp();

  const rows = await everyRow();
  expect(found(Buffer.from(rows))).toEqual([]);
  // The search sees what is there.
  expect(rows).toContain('to-be-found.example/a');
  expect(rows).toContain('ADDRESS:');
  expect(rows).toContain('Firefox');

  const { manage } = new Playmeter({ url, key: secret });
  expect((await manage.erasePlayback({ viewer: ofToken })).views).toBeGreaterThan(1);
  const states = async () => (await manage.erasures()).list.map(({ state }) => state);
  await expect.poll(states).toEqual(['done']);
  expect(found(Buffer.from(await everyRow()))).toEqual([]);
  await service.stop();
  const kept = await bytesIn(folder);
  expect(kept.flatMap(found)).toEqual([]);
  expect(kept.some((bytes) => bytes.includes('To be found too'))).toBe(true);
  expect(log.join()).toContain('engine is ready');
  expect(log.join()).toContain('key refused');
  expect(found(Buffer.from(log.join()))).toEqual([]);
});
