/** Whose numbers are attacked: an account with videos, and what its answers say of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Playmeter } from '../../client/src/index.ts';
import type { Target } from './target.ts';

/** Longer than any attack: no bystander sees it too often. */
const filmMs = 1_200_000;
const settledWithinMs = 120_000;
const betweenAsksMs = 100;

export interface Account {
  readonly accountId: number;
  /** Has all scopes. */
  readonly key: string;
}

export interface Victim extends Account {
  readonly client: Playmeter;
  readonly packageId: number;
  readonly videoId: number;
  readonly accessKey: string;
  readonly videoKey: string;
}

export interface Playback {
  readonly plays: number;
  readonly seconds: number;
}

interface VictimOptions {
  readonly filmMs?: number;
  readonly allowedOrigins?: string[];
}

/** Accounts of services, so that several victims of one service are of one account. */
const accounts = new WeakMap<Target, Promise<Account>>();

/** A video of its own in a package of its own. */
export async function addVictim(target: Target, options: VictimOptions = {}): Promise<Victim> {
  const account = accounts.get(target) ?? addAccount(target);
  accounts.set(target, account);
  return addVideo(target, await account, options);
}

/** The same, of any account. */
export async function addVideo(
  target: Target,
  { accountId, key }: Account,
  options: VictimOptions = {},
): Promise<Victim> {
  const client = new Playmeter({ url: target.url, key });
  const { manage } = client;
  const { folderId } = await manage.addFolder({ folderName: `Films ${performance.now()}` });
  const { allowedOrigins = [] } = options;
  const { packageId } = await manage.addPackage({ packageName: 'Site', allowedOrigins });
  const duration = options.filmMs ?? filmMs;
  const { accessKey, videoId } = await manage.addVideo({ folderId, title: 'Film', duration });
  const { videoKey } = await manage.publish(packageId, accessKey);
  return { accountId, key, client, packageId, videoId, accessKey, videoKey };
}

/** An account with a key of all scopes. */
export async function addAccount(target: Target): Promise<Account> {
  const { accountId } = await target.run('account', 'create', '--name', 'Victim');
  const scopes = 'stats:read,info:read,collect:write,manage';
  const { key } = await target.run(
    ...['key', 'create', '--account', String(accountId), '--scopes', scopes],
  );
  return { accountId: Number(accountId), key: String(key) };
}

/** From yesterday until tomorrow: no midnight comes between a question and its answer. */
export function aroundToday(): { readonly sdate: string; readonly edate: string } {
  const day = (offset: number) =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  return { sdate: day(-1), edate: day(1) };
}

/**
 * What the answers say of the victim's video by operating system, when all that was acknowledged
 * by now is in them.
 */
export async function playbackOf(
  target: Target,
  { key, accessKey }: Victim,
): Promise<ReadonlyMap<string, Playback>> {
  const startedAt = Date.now();
  const query = new URLSearchParams({ ...aroundToday(), accessKey, pageSize: '1000' });
  for (;;) {
    const asked = `${target.url}/report/statistics/video/v1/os?${query}`;
    const response = await fetch(asked, { headers: { 'x-api-key': key } });
    const body = (await response.json()) as { data: { list: Row[] } };
    const through = Date.parse(response.headers.get('complete-through') ?? '');
    if (response.ok && through > startedAt) return rowsOf(body.data.list);
    if (Date.now() > startedAt + settledWithinMs) {
      throw new Error(`The answers lag for ${settledWithinMs} ms: ${response.status}`);
    }
    await sleep(betweenAsksMs);
  }
}

interface Row {
  readonly os: string;
  readonly videoCount: string;
  readonly duration: string;
}

function rowsOf(list: readonly Row[]): ReadonlyMap<string, Playback> {
  return new Map(
    list.map(({ os, videoCount, duration }) => [
      os,
      { plays: Number(videoCount), seconds: Number(duration) },
    ]),
  );
}

/**
 * Seconds of the victim's video on one system, which version 1 rounds down; undefined of releases
 * that have no other version. After `playbackOf`, when all is in the answers.
 */
export async function exactSecondsOf(
  target: Target,
  { key, accessKey }: Victim,
  os: string,
): Promise<number | undefined> {
  const filters = `video==${accessKey};os==${os}`;
  const query = new URLSearchParams({ ...aroundToday(), measures: 'playMs', filters });
  const asked = `${target.url}/report/statistics/video/v2/query?${query}`;
  const response = await fetch(asked, { headers: { 'x-api-key': key } });
  if (!response.ok) return undefined;
  const { data } = (await response.json()) as { data: { totals: { playMs: number } } };
  return data.totals.playMs / 1_000;
}

export const nothing: Playback = { plays: 0, seconds: 0 };
