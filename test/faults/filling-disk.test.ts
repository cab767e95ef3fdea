/** A disk that fills is announced in the log before anything is refused: once, and again later. */
import { expect, onTestFinished, test } from 'vitest';
import { startServiceProcess } from '../support/service-process.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const diskMb = 640;
/** A tenth, as docs/operating.md says. */
const announcedMb = diskMb / 10;

test('below a tenth the log warns once, and again after there was room', async () => {
  const disk = await mountSmallDisk(diskMb);
  onTestFinished(() => disk.remove());
  const service = await startServiceProcess({ LOG_FORMAT: 'json' }, { disk });
  onTestFinished(() => service.remove());
  const metric = async (name: string) => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  /** Resolves when the service has looked, and found about so much. */
  const leave = async (megabytes: number): Promise<void> => {
    await disk.leave(megabytes);
    await found((freeMb) => Math.abs(freeMb - megabytes) < 5);
  };
  const found = (isSo: (freeMb: number) => boolean) =>
    expect
      .poll(async () => isSo((await metric('playmeter_disk_free_bytes')) / 1_048_576))
      .toBe(true);
  const warnings = () =>
    service
      .log()
      .filter((line) => line.includes('the disk of the data folder is filling up'))
      .map((line) => JSON.parse(line) as { level: number; freeMb: number; folder: string });
  const warning = {
    folder: service.dataFolder,
    // Rounded, and below the border by a few bytes it is the border.
    freeMb: expect.toSatisfy((freeMb: number) => freeMb <= announcedMb && freeMb > 40),
  };

  await found((freeMb) => freeMb > 2 * announcedMb);
  await leave(90);
  await leave(50);
  await expect.poll(warnings).toEqual([expect.objectContaining(warning)]);
  // Around the border, on both sides: less than a fifth above it is no room yet.
  for (const freeMb of [58, 70, 50]) await leave(freeMb);
  expect(await metric('playmeter_disk_full')).toBe(0);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);

  await disk.makeRoom();
  await found((freeMb) => freeMb > 2 * announcedMb);
  await leave(50);
  await expect.poll(() => warnings().length).toBeGreaterThan(1);
  // All lines until then have been read: none is missing here that was written at the border.
  expect(warnings()).toEqual([warning, warning].map((one) => expect.objectContaining(one)));
});

test('inodes that run out are announced, refused at their end, and given back', async () => {
  const inodes = 20_000;
  const disk = await mountSmallDisk(diskMb, inodes);
  onTestFinished(() => disk.remove());
  const service = await startServiceProcess({ LOG_FORMAT: 'json' }, { disk });
  onTestFinished(() => service.remove());
  const [, videoKey] = /watch\/(.+)/.exec(service.pageUrl) ?? [];
  const metric = async (name: string) => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(new RegExp(`^playmeter_disk_${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  const send = async () => {
    const beacon = { view: 'one', stretch: 0, at: new Date().toISOString(), playMs: 1, videoKey };
    const body = JSON.stringify({ beacons: [beacon] });
    return (await fetch(`${service.url}/collect/v1/beacons`, { method: 'POST', body })).status;
  };
  const said = () =>
    service
      .log()
      .filter((line) => /"(msg)":"the disk /.test(line))
      .map((line) => JSON.parse(line) as { msg: string; freeInodes: number; freeMb: number });
  expect(await metric('inodes')).toBe(inodes);
  expect(await metric('free_inodes')).toBeGreaterThan(inodes / 2);
  expect(await send()).toBe(200);
  expect(said()).toEqual([]);

  // A tenth is 2,000; the last 1,000 are for what was taken already.
  await disk.leaveInodes(1_700);
  const filling = 'the disk of the data folder is filling up';
  const first = { msg: filling, freeInodes: expect.toSatisfy((free: number) => free < 2_000) };
  await expect.poll(said).toEqual([expect.objectContaining(first)]);
  expect(await metric('full')).toBe(0);
  await disk.leaveInodes(500);
  await expect.poll(send).toBe(503);
  expect(await metric('full')).toBe(1);

  await disk.makeRoom();
  await expect.poll(send).toBe(200);
  expect(said().map(({ msg }) => msg)).toEqual([
    ...[filling, 'the disk is full: beacons get 503', 'the disk has room again'],
  ]);
});
