/** Files out of the dashboard and into it: CSV of every table, and films dropped from outside. */
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LedgerDay } from '../../client/src/index.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Page } from '../support/browser.ts';
import { addShare, saved } from './dashboard.ts';
import { useDashboard } from './use-dashboard.ts';

const videoCount = 55;

const stage = useDashboard(async ({ service, account }) => {
  const { packages, labels, videos } = service.catalog;
  const { accountId } = account;
  const accessKey = await account.addVideo();
  const { folderId = 0 } = (await videos.find(accountId, accessKey)) ?? {};
  for (let made = 1; made < videoCount; made += 1) {
    accepted(await videos.create(accountId, { folderId, title: `Episode ${made}` }));
  }
  const fields = { packageType: 'VOD', signing: 'prefer', packageName: 'Unsigned' } as const;
  const { packageId } = accepted(await packages.create(accountId, fields));
  const videoKey = await account.publish(packageId, accessKey);
  const at = new Date(Date.now() - 10_000).toISOString();
  const play = { view: 'unsigned', stretch: 0, at, playMs: 5_000, videoKey };
  await service.send([play], { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' });
  await service.facts.rollUp();
  accepted(await labels.create(accountId, 'series'));
});

/** The lines of the CSV that the button of this region or dialog saves, without their ends. */
async function csvIn(page: Page, part: string): Promise<{ name: string; lines: string[] }> {
  const named = { name: part, exact: true };
  const { name, text } = await saved(
    page.getByRole('region', named).or(page.getByRole('dialog', named)),
    'CSV',
  );
  // By its mark a spreadsheet reads it as UTF-8.
  expect(text[0]).toBe('\ufeff');
  return { name, lines: text.slice(1).trimEnd().split('\r\n') };
}

test('all videos that are found are saved, not those of the page alone', async () => {
  const page = await stage().open('/library?q=Episode');
  await page.getByText('54 in total').waitFor();
  const { name, lines } = await csvIn(page, 'Videos');
  expect(name).toBe('videos.csv');
  expect(lines[0]).toBe('accessKey,folderId,title,duration,cdate');
  expect(lines.slice(1).map((line) => line.split(',')[2])).toEqual(
    Array.from({ length: 54 }, (_, index) => `Episode ${54 - index}`),
  );
});

test('the tables of the settings are saved as the interface has them', async () => {
  const { service, account, read, open } = stage();
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const addKey = async (fields: object) =>
    (await service.manage(account.key, 'POST', '/keys', fields)).body;
  const unused = await addKey({ name: 'Nightly', scopes: ['stats:read', 'info:read'], expiresAt });
  const revoked = await addKey({ name: 'Lost', scopes: ['manage'] });
  await service.manage(account.key, 'DELETE', `/keys/${revoked.keyId}`);
  const page = await open('/settings/suspects');
  const today = new Date().toISOString().slice(0, 10);
  const suspects = await read<{ list: { suspect: string }[] }>(
    `/manage/v1/suspects?sdate=${today}&edate=${today}`,
  );
  const [suspect] = suspects.list;
  await page.getByText('1 in total').waitFor();
  expect((await csvIn(page, 'Unusual playback')).lines[1]).toContain(`${suspect?.suspect},`);

  await page.getByRole('link', { name: 'Audit' }).click();
  const audit = await read<{ list: { at: string; action: string }[] }>(
    '/manage/v1/audit?pageSize=1000',
  );
  await page.getByRole('cell').first().waitFor();
  const entries = await csvIn(page, 'Audit');
  expect(entries.lines[0]).toBe('at,actor,actorName,address,action,object,before,after');
  expect(entries.lines.slice(1).map((line) => line.split(',')[0])).toEqual(
    audit.list.map(({ at }) => at),
  );
  expect(audit.list.length).toBeGreaterThan(50);

  await page.getByRole('link', { name: 'Labels' }).click();
  await page.getByRole('cell').first().waitFor();
  expect((await csvIn(page, 'Labels')).lines[1]).toMatch(/^\d+,series,20/);
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('cell').first().waitFor();
  const { list: keys } = await read<{ list: { keyId: number }[] }>('/manage/v1/keys');
  const [heads, ...keyLines] = (await csvIn(page, 'API keys')).lines;
  expect(heads).toBe('keyId,name,prefix,scopes,createdAt,lastUsedAt,expiresAt');
  const liveIds = keys.map(({ keyId }) => keyId).filter((keyId) => keyId !== revoked.keyId);
  expect(keyLines.map((line) => Number(line.split(',')[0]))).toEqual(liveIds);
  const { keyId, prefix, createdAt } = unused;
  expect(keyLines).toContain(
    `${keyId},Nightly,${prefix},stats:read info:read,${createdAt},,${expiresAt}`,
  );
  await page.getByRole('link', { name: 'Ledger' }).click();
  await page.getByRole('cell').first().waitFor();
  const { list: days } = await read<{ list: LedgerDay[] }>(
    `/manage/v1/ledger?sdate=${today}&edate=${today}`,
  );
  const { setApart, refused, limitedRequests, fullDimensions, ...others } = days[0] as LedgerDay;
  const flat = [
    ...Object.entries(others).slice(0, 4),
    ...Object.entries(setApart).map(([reason, count]) => [`setApart.${reason}`, count]),
    ...Object.entries(refused).map(([reason, count]) => [`refused.${reason}`, count]),
    ['unavailable', others.unavailable],
    ['labelsLeftOut', others.labelsLeftOut],
    ...Object.entries(limitedRequests).map(([reason, count]) => [
      `limitedRequests.${reason}`,
      count,
    ]),
  ];
  const byDay = await csvIn(page, 'By day');
  expect(byDay.lines.map((line) => line.split(','))).toEqual([
    flat.map(([name]) => name),
    flat.map(([, count]) => String(count)),
  ]);
  expect(others).toMatchObject({ date: today, received: 1, counted: 0 });
  expect(fullDimensions).toEqual([]);
  expect((await csvIn(page, 'Why beacons did not count')).lines).toEqual([
    'outcome,reason,beacons',
    'setApart,UNSIGNED,1',
  ]);

  await page.getByRole('link', { name: 'Packages' }).click();
  await page.getByRole('heading', { name: 'Unsigned' }).waitFor();
  const { list: packages } = await read<{ list: { packageId: number }[] }>('/manage/v1/packages');
  expect((await csvIn(page, 'Packages')).lines).toEqual([
    'packageId,packageName,packageType,allowedOrigins,signing',
    `${packages[0]?.packageId},Unsigned,VOD,,prefer`,
  ]);
});

test('a list and a film that are dragged from a folder onto the library are brought in', async () => {
  const page = await stage().open('/library');
  const clip = join(import.meta.dirname, '../../demo/clip.mp4');
  const list = join(tmpdir(), `playmeter-list-${process.pid}.csv`);
  const text = '\ufeffsep=;\ncid;title;duration\ndropped-1;Out of a list;65000\n';
  await writeFile(list, text, 'utf16le');
  await page.getByText('55 in total').waitFor();
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [list, clip], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, x: 500, y: 400, data });
  }
  const panel = page.getByRole('dialog', { name: 'Import' });
  await panel.getByText('2 imported, 0 unchanged, 0 refused').waitFor();
  await page.getByText('57 in total').waitFor();
  const film = page.getByRole('row').filter({ hasText: 'clip' });
  expect(await film.getByRole('cell').allTextContents()).toContain('0:12');
  // The page itself is where it was: a browser left alone would show the film.
  expect(new URL(page.url()).pathname).toBe('/library');
});

test('all rows that an import refuses are saved, each with its line and reason', async () => {
  const { service, account, read, open } = stage();
  const page = await open('/library');
  await page.getByRole('button', { name: 'Import' }).click();
  const panel = page.getByRole('dialog', { name: 'Import' });
  // More than the page shows.
  const rows = Array.from({ length: 120 }, (_, row) => `refused-${row},Refused,soon`);
  const csv = ['cid,title,duration', ...rows].join('\n');
  await panel.locator('input[type=file]').setInputFiles([
    { name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) },
    { name: 'broken.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no film') },
  ]);
  await panel.getByText('0 imported, 0 unchanged, 121 refused').waitFor();
  const { list: folders } = await read<{ list: { folderId: number }[] }>('/manage/v1/folders');
  const list = { csv, folderId: folders[0]?.folderId };
  const { body } = await service.manage(account.key, 'PUT', '/imports', list);
  const refusals: { line: number; reason: string }[] = body.refusals;
  const { name, lines } = await csvIn(page, 'Import');
  expect(name).toBe('refused-rows.csv');
  expect(lines).toEqual([
    'File,Line,Reason',
    ...refusals.map(({ line, reason }) => `rows.csv,${line},${reason}`),
    'broken.mp4,,The browser cannot read this film: use playmeter video import.',
  ]);
});

test('what plays now is saved as the interface has it', async () => {
  const { service, account, open } = stage();
  const accessKey = await account.addVideo();
  const videoKey = await account.publish(await account.addPackage(), accessKey);
  const play = { view: 'now', stretch: 0, at: new Date().toISOString(), playMs: 5_000, videoKey };
  await service.send([play], { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' });
  const page = await open('/now');
  await expect.poll(() => page.locator('[data-now]').textContent()).toBe('1');
  const csvOf = async (list: string) => {
    const headers = { 'x-api-key': account.key, accept: 'text/csv' };
    const path = `/report/statistics/video/v2/live?list=${list}`;
    return (await (await service.request(path, { headers })).text()).trimEnd().split('\r\n');
  };
  expect(await csvIn(page, 'By video')).toEqual({
    name: 'now-by-video.csv',
    lines: await csvOf('videos'),
  });
  const minutes = await csvIn(page, 'playing now');
  expect(minutes.name).toBe('now.csv');
  // A minute may begin between the two questions; the others stay as they were.
  const known = new Set(await csvOf('lastMinutes'));
  expect(minutes.lines.filter((line) => known.has(line)).length).toBeGreaterThan(27);
});

test('shares and signing keys are saved, their secrets are not', async () => {
  const { service, account, read, open } = stage();
  await service.manage(account.key, 'POST', '/signing-keys', {});
  const [, secret = ''] = (await addShare(service, account.accountId)).split('#');
  const page = await open('/settings/signing');
  await page.getByRole('cell').first().waitFor();
  const keys = await read<{ list: Record<string, unknown>[] }>('/manage/v1/signing-keys');
  const [key] = keys.list;
  expect((await csvIn(page, 'Signed views')).lines).toEqual([
    'signingKeyId,algorithm,createdAt,expiresAt',
    `${key?.signingKeyId},HS256,${key?.createdAt},`,
  ]);
  await page.getByRole('link', { name: 'Shares' }).click();
  await page.getByRole('cell').first().waitFor();
  const shares = await read<{ list: Record<string, unknown>[] }>('/manage/v1/shares');
  const { lines } = await csvIn(page, 'Shares');
  expect(lines).toHaveLength(2);
  expect(lines[1]?.split(',').slice(0, 2)).toEqual([`${shares.list[0]?.shareId}`, 'November']);
  expect(lines[1]).toContain(`,${shares.list[0]?.createdAt},`);
  expect(lines.join()).not.toContain(secret);
});
