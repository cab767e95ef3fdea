/** Real media files, made here, into the catalog and back out of the service. */
import { execFile } from 'node:child_process';
import {
  copyFile,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readMediaFile } from '../../src/import/media-file.ts';
import { importMedia } from '../../src/import/media-import.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary } from '../support/catalogs.ts';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { verbsWith } from '../support/service-kinds.ts';

const ffmpeg = join(import.meta.dirname, '../../node_modules/@ffmpeg-installer/linux-x64/ffmpeg');
const execute = promisify(execFile);

let media: string;
let line: CommandLine;
let run: ReturnType<typeof verbsWith>;
beforeAll(async () => {
  media = await mkdtemp(join(tmpdir(), 'playmeter-media-'));
  line = await openCommandLine();
  run = verbsWith({ DATA_DIR: line.folder, PUBLIC_URL: 'https://play.example/' });
  vi.stubEnv('PATH', `${dirname(ffmpeg)}:${process.env.PATH}`);
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=4'];
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=4'];
  const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-c:a', 'aac'];
  const make = (name: string, ...words: string[]) =>
    execute(ffmpeg, ['-v', 'error', '-y', ...words, join(media, name)]);
  await make('A film.mp4', ...picture, ...sound, ...h264, '-movflags', '+faststart');
  const film = ['-i', join(media, 'A film.mp4'), '-c', 'copy'];
  await make('sound last.mp4', ...film);
  await make(
    'vp9.webm',
    ...picture,
    ...sound,
    '-c:v',
    'libvpx-vp9',
    '-speed',
    '8',
    '-c:a',
    'libopus',
  );
  await make('matroska.mkv', ...film);
  await make('quick.mov', ...film);
  await make('turned.mp4', ...film, '-metadata:s:v:0', 'rotate=90');
  // Fifty frames in the first two seconds, five a second after that.
  const select = "select='lt(t,2)+not(mod(n,5))'";
  await make('variable.mp4', ...picture, '-vf', select, '-vsync', 'vfr', ...h264);
  await make('sound.m4a', ...sound, '-c:a', 'aac');
  const ntsc = ['-f', 'lavfi', '-i', 'testsrc2=size=64x48:rate=30000/1001:duration=2'];
  await make('ntsc.mp4', ...ntsc, ...h264);
  const vp9 = ['-c:v', 'libvpx-vp9', '-speed', '8', '-c:a', 'libopus'];
  const beginning = (seconds: number) => ['-output_ts_offset', String(seconds)];
  await make('plain.ts', ...picture, ...sound, ...h264);
  await make('begins at ten hours.ts', ...picture, ...sound, ...h264, ...beginning(36_000));
  for (const type of ['mp4', 'mov', 'mkv']) {
    await make(`begins at five seconds.${type}`, ...picture, ...sound, ...h264, ...beginning(5));
  }
  await make('begins at five seconds.webm', ...picture, ...sound, ...vp9, ...beginning(5));
  await make('sound from two seconds on.mp4', ...picture, '-itsoffset', '2', ...sound, ...h264);
  await make('picture from two seconds on.ts', ...sound, '-itsoffset', '2', ...picture, ...h264);
  await make(
    'begins before a picture.mp4',
    '-ss',
    '1.3',
    ...film,
    '-avoid_negative_ts',
    'disabled',
  );
  await cut('A film.mp4', 'cut in the media.mp4', 0.5);
  await cut('sound last.mp4', 'cut before the index.mp4', 0.5);
  await cut('vp9.webm', 'cut.webm', 0.5);
  await cut('matroska.mkv', 'cut.mkv', 0.9);
  await writeFile(join(media, 'letter.mp4'), 'Dear reader, this is no video.');
  await writeFile(join(media, 'empty.mp4'), '');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await line?.remove();
  await rm(media, { recursive: true, force: true });
});

/** Of Matroska it shows the end, of others the length. */
async function lengthByFfmpeg(name: string): Promise<number> {
  const { stderr } = await execute(ffmpeg, ['-i', join(media, name)]).catch((error) => error);
  const [, hours, minutes, seconds, start] =
    /Duration: (\d+):(\d+):([\d.]+), start: ([-\d.]+)/.exec(stderr) ?? [];
  const shownMs = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return /\.(mkv|webm)$/.test(name) ? shownMs - Number(start) * 1_000 : shownMs;
}

async function cut(from: string, to: string, share: number): Promise<void> {
  await copyFile(join(media, from), join(media, to));
  const file = await open(join(media, to), 'r+');
  await file.truncate(Math.floor((await file.stat()).size * share));
  await file.close();
}

const film = { durationMs: 4_000, width: 320, height: 240, frameRate: 25 };

describe('a media file', () => {
  test.each([
    ['A film.mp4', { ...film, container: 'mp4' }],
    ['sound last.mp4', { ...film, container: 'mp4' }],
    ['quick.mov', { ...film, container: 'mov' }],
    ['vp9.webm', { ...film, container: 'webm', durationMs: 4_007 }],
    ['matroska.mkv', { ...film, container: 'mkv', durationMs: 4_023 }],
    ['turned.mp4', { ...film, container: 'mp4', width: 240, height: 320 }],
    ['variable.mp4', { ...film, container: 'mp4', durationMs: 3_840, frameRate: 15.625 }],
    ['ntsc.mp4', { container: 'mp4', durationMs: 2_002, width: 64, height: 48, frameRate: 29.97 }],
  ])('%s is read', async (name, expected) => {
    const read = await readMediaFile(join(media, name));
    const fileSizeBytes = (await stat(join(media, name))).size;
    expect(read).toEqual({ ok: true, value: { ...expected, fileSizeBytes } });
    const descriptors = await readdir('/proc/self/fd');
    const opened = descriptors.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => ''));
    expect(await Promise.all(opened)).not.toContain(join(media, name));
  });

  test.each([
    ['plain.ts', 4_040],
    ['begins at ten hours.ts', 4_040],
    ['picture from two seconds on.ts', 6_023],
    ['begins at five seconds.mkv', 4_023],
    ['begins at five seconds.webm', 4_007],
  ])('%s is as long as what plays, as ffmpeg says', async (name, durationMs) => {
    const read = await readMediaFile(join(media, name));
    expect(read).toMatchObject({ ok: true, value: { durationMs } });
    const said = await lengthByFfmpeg(name);
    // It does not know how long the last sound of a transport stream is.
    expect(Math.abs(said - durationMs)).toBeLessThanOrEqual(30);
  });

  // ffmpeg counts neither late sound nor what is cut away; these are `duration` in Chromium 153.
  test.each([
    ['begins at five seconds.mp4', 4_024],
    ['begins at five seconds.mov', 4_024],
    ['sound from two seconds on.mp4', 5_999],
    ['begins before a picture.mp4', 2_700],
  ])('%s is as long as a browser says', async (name, durationMs) => {
    const read = await readMediaFile(join(media, name));
    expect(read).toMatchObject({ ok: true, value: { durationMs } });
  });

  test.each([
    ['cut in the media.mp4', 'is cut off: its end is missing'],
    ['cut before the index.mp4', 'is cut off: the index of its tracks is missing'],
    ['cut.webm', 'is cut off: its end is missing'],
    ['cut.mkv', 'is cut off: its end is missing'],
    ['letter.mp4', 'is not a video in a supported format: MP4, MOV, WebM, MKV or MPEG-TS'],
    ['empty.mp4', 'is empty'],
    ['sound.m4a', 'has sound but no picture'],
    ['none.mp4', 'does not exist'],
    ['.', 'is not a file'],
  ])('%s is refused', async (name, reason) => {
    expect(await readMediaFile(join(media, name))).toEqual({ ok: false, reason });
  });
});

async function newFolder() {
  const { accountId, folderId } = await addLibrary(line.catalog);
  return { accountId, folderId };
}

type Where = Awaited<ReturnType<typeof newFolder>>;

function words({ accountId, folderId }: Where, ...names: string[]): string[] {
  const files = names.map((name) => join(media, name));
  return ['video', 'import', '--account', `${accountId}`, '--folder', `${folderId}`, ...files];
}

describe('video import', () => {
  test('prints an object for a file, and the same for the same file again', async () => {
    const where = await newFolder();
    const first = await run(...words(where, 'A film.mp4'), '--json');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const { videoId, accessKey } = JSON.parse(first.stdout);
    const video = await line.catalog.videos.find(where.accountId, accessKey);
    expect(video).toEqual({
      ...where,
      ...film,
      videoId,
      accessKey: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      title: 'A film',
      fileSizeBytes: (await stat(join(media, 'A film.mp4'))).size,
      createdAt: expect.any(Date),
      ...{ cid: null, content: null, tag: '', series: null, author: null, copyright: null },
      ...{ rate: null, etc: null, encodingSuccess: null },
      thumbnailUrl: expect.stringMatching(
        /^https:\/\/play\.example\/content\/thumbnails\/[\w-]{22}\.jpg$/,
      ),
    });
    accepted(await line.catalog.videos.change(where.accountId, accessKey, { title: 'Renamed' }));
    await copyFile(join(media, 'A film.mp4'), join(media, 'A copy.mp4'));
    const again = await run(...words(where, 'A copy.mp4'), '--json');
    expect(JSON.parse(again.stdout)).toEqual({ videoId, accessKey });
    const after = await line.catalog.videos.find(where.accountId, accessKey);
    expect(after).toEqual({ ...video, title: 'Renamed' });
  });

  test('makes thumbnails of which one stands for the video', async () => {
    const where = await newFolder();
    const { stdout } = await run(...words(where, 'turned.mp4'), '--json');
    const { videoId } = JSON.parse(stdout);
    const thumbnails = await line.catalog.thumbnails.list(videoId);
    expect(thumbnails.map(({ playTimeMs }) => playTimeMs)).toEqual([
      400, 1_200, 2_000, 2_800, 3_600,
    ]);
    expect(thumbnails.filter(({ selected }) => selected)).toHaveLength(1);
    for (const { url } of thumbnails) {
      const name = url.slice(url.lastIndexOf('/') + 1);
      const picture = await readFile(join(line.folder, 'content', 'thumbnails', name));
      // JPEG; its height and width stand in the frame header: upright, as people see it.
      expect(picture.subarray(0, 2).toString('hex')).toBe('ffd8');
      const header = picture.indexOf(Buffer.from('ffc0', 'hex'));
      expect(picture.readUInt16BE(header + 5)).toBe(320);
      expect(picture.readUInt16BE(header + 7)).toBe(240);
    }
  });

  test('names bad files, goes on, and ends with 1', async () => {
    const where = await newFolder();
    const names = ['letter.mp4', 'vp9.webm', 'cut.mkv', 'quick.mov'];
    const { code, stdout, stderr } = await run(...words(where, ...names), '--json');
    expect(code).toBe(1);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((one) => Object.keys(JSON.parse(one))),
    ).toEqual([
      ['videoId', 'accessKey'],
      ['videoId', 'accessKey'],
    ]);
    expect(stderr.split('\n')).toEqual([
      `${join(media, 'letter.mp4')} is not a video in a supported format: MP4, MOV, WebM, MKV or MPEG-TS`,
      `${join(media, 'cut.mkv')} is cut off: its end is missing`,
      'playmeter video import: 2 of 4 files were not imported',
      '',
    ]);
  });

  test('says so where ffmpeg is missing, and where a video was deleted', {
    tags: 'long',
  }, async () => {
    const where = await newFolder();
    const bare = await openCommandLine({ PATH: '/nowhere', DATA_DIR: line.folder });
    const first = await bare.run(...words(where, 'ntsc.mp4'), '--json');
    expect(first).toMatchObject({
      code: 0,
      stderr: 'ffmpeg is not installed, so no thumbnails are made\n',
    });
    const { accessKey, videoId } = JSON.parse(first.stdout);
    expect(await line.catalog.thumbnails.list(videoId)).toEqual([]);
    await run(...words(where, 'ntsc.mp4'));
    expect(await line.catalog.thumbnails.list(videoId)).not.toEqual([]);
    accepted(await line.catalog.videos.delete(where.accountId, accessKey));
    const gone = await run(...words(where, 'ntsc.mp4'));
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('was deleted') });
    await bare.remove();
  });

  test.each(['videos', 'thumbnails'])(
    'goes on where somebody deletes a video as soon as it has its row in %s',
    async (table) => {
      const where = await newFolder();
      const { packageId } = accepted(
        await line.catalog.packages.create(where.accountId, { packageName: 'Web' }),
      );
      const database = new SqliteFile(join(line.folder, 'catalog.sqlite'));
      const id = table === 'videos' ? 'new.id' : 'new.video_id';
      database.exec(`create trigger somebody after insert on ${table} begin
        update videos set deleted_at_ms = 1 where id = ${id} and title = 'ntsc'; end`);
      const names = ['ntsc.mp4', 'turned.mp4'];
      const toPackage = [...words(where, ...names), '--package', `${packageId}`, '--json'];
      const { code, stdout, stderr } = await run(...toPackage);
      database.exec('drop trigger somebody');
      database.close();
      expect(code).toBe(1);
      expect(stderr.split('\n')).toEqual([
        `${join(media, 'ntsc.mp4')} was imported, and its video was deleted meanwhile`,
        'playmeter video import: 1 of 2 files were not imported',
        '',
      ]);
      const { accessKey, videoKey } = JSON.parse(stdout);
      const name = { accountId: where.accountId, packageId, accessKey };
      expect(await line.catalog.publications.find(name)).toMatchObject({ videoKey });
    },
  );

  test('publishes what it imports, and prints the video keys as CSV or JSON', {
    tags: 'long',
  }, async () => {
    const where = await newFolder();
    const { accountId } = where;
    const { packageId } = accepted(
      await line.catalog.packages.create(accountId, { packageName: 'Web' }),
    );
    const published = await run(...words(where, 'ntsc.mp4'), '--package', `${packageId}`);
    const [header, row = ''] = published.stdout.trimEnd().split('\n');
    expect(header).toBe('accessKey,videoKey');
    const [accessKey = '', videoKey] = row.split(',');
    const name = { accountId, packageId, accessKey };
    expect(await line.catalog.publications.find(name)).toMatchObject({ videoKey });
    const again = [...words(where, 'ntsc.mp4'), '--package', `${packageId}`, '--json'];
    expect(JSON.parse((await run(...again)).stdout)).toEqual({ accessKey, videoKey });
    const nowhere = await run(...words(where, 'ntsc.mp4'), '--package', '999');
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('no package 999') });
  });

  test('needs a folder that is there', async () => {
    const where = await newFolder();
    const missing = await run(...words({ ...where, folderId: 999 }, 'ntsc.mp4'));
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('no folder 999') });
    const none = await run('video', 'import', '--account', '1', join(media, 'ntsc.mp4'));
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--folder is required'),
    });
  });
});

describe('what was imported is served', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service?.stop());

  test('the copy under the videoKey, its pictures for ever', async () => {
    const { accountId, addPackage, publish } = await service.addAccount();
    const { folderId } = accepted(
      await service.catalog.folders.create(accountId, { folderName: 'F' }),
    );
    const contentFolder = join(service.config.DATA_DIR, 'content');
    const file = join(media, 'vp9.webm');
    const wanted = { accountId, folderId, contentFolder, publicUrl: service.url, copies: true };
    const result = await importMedia(service.catalog, file, { ...wanted, takesThumbnails: true });
    const video = result.ok ? result.value : undefined;
    const { accessKey = '', thumbnailUrl = '' } = video ?? {};
    const videoKey = await publish(await addPackage(), accessKey);
    const content = await fetch(`${service.url}/content/${videoKey}`);
    expect(content.headers.get('content-type')).toBe('video/webm');
    expect(Buffer.from(await content.arrayBuffer())).toEqual(await readFile(file));
    const picture = await fetch(thumbnailUrl);
    expect(picture.status).toBe(200);
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect(picture.headers.get('cache-control')).toContain('immutable');
    const missing = ['x.jpg', `${'x'.repeat(22)}.jpg`, '..%2f..%2fcatalog.sqlite'];
    for (const name of missing) {
      expect((await fetch(`${service.url}/content/thumbnails/${name}`)).status).toBe(404);
    }
    const copy = `${video?.videoId}.webm`;
    expect(await readdir(contentFolder)).toContain(copy);
    expect((await stat(join(contentFolder, copy))).mode & 0o777).toBe(0o600);
  });
});
