/** A media file -> the picture's properties from its container, as displayed. */
import { open, stat } from 'node:fs/promises';
import type { Input, InputVideoTrack } from 'mediabunny';
import { accept, type Result, refuse } from '../lib/result.ts';
import type { ContainerName } from '../wire/library/content-files.ts';

/** Two hours at 25 frames a second: for a longer video, the rate of its beginning. */
const countedFrames = 180_000;
/** The length a container announces always differs a little from its contents. */
const announcedToleranceSeconds = 1;
const announcedToleranceShare = 0.01;

export interface MediaFile {
  readonly container: ContainerName;
  readonly fileSizeBytes: number;
  readonly durationMs: number;
  /** After rotation. */
  readonly width: number;
  readonly height: number;
  /** Frames per second; the average if the rate varies. */
  readonly frameRate: number;
}

export async function readMediaFile(file: string): Promise<Result<MediaFile, string>> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return refuse('does not exist');
  if (!found.isFile()) return refuse('is not a file');
  if (found.size === 0) return refuse('is empty');
  await using opened = await open(file).catch((error) => {
    if (error.code !== 'EACCES') throw error;
    return undefined;
  });
  if (!opened) return refuse('cannot be opened: this user may not read it');
  // Loaded only here, because no other verb needs it.
  const { CustomSource, Input, MP4, QTFF, WEBM, MATROSKA, MPEG_TS } = await import('mediabunny');
  // Not every format: a playlist could name any file on the machine.
  const formats = { mp4: MP4, mov: QTFF, webm: WEBM, mkv: MATROSKA, ts: MPEG_TS } as const;
  // Its own source of a file leaves it open, and an import may be of many thousands.
  const source = new CustomSource({
    getSize: () => found.size,
    async read(start, end) {
      const buffer = Buffer.alloc(end - start);
      await opened.read(buffer, 0, buffer.length, start);
      return buffer;
    },
    prefetchProfile: 'fileSystem',
  });
  const input = new Input({ formats: Object.values(formats), source });
  try {
    if (!(await input.canRead())) {
      return refuse('is not a video in a supported format: MP4, MOV, WebM, MKV or MPEG-TS');
    }
    const format = await input.getFormat();
    const containers = Object.keys(formats) as ContainerName[];
    const container = containers.find((name) => formats[name] === format);
    const track = await input.getPrimaryVideoTrack();
    if (!track || !container) return refuse(await whyNoPicture(input));
    if (await isTruncated(input)) return refuse('is cut off: its end is missing');
    return accept({ container, fileSizeBytes: found.size, ...(await describe(input, track)) });
  } catch (error) {
    return refuse(`is damaged (${error instanceof Error ? error.message : error})`);
  } finally {
    input.dispose();
  }
}

async function whyNoPicture(input: Input): Promise<string> {
  const tracks = await input.getTracks();
  return tracks.length === 0
    ? 'is cut off: the index of its tracks is missing'
    : 'has sound but no picture';
}

/** Whether the last packet of a track is missing, or the file ends long before its own end. */
async function isTruncated(input: Input): Promise<boolean> {
  const { EncodedPacketSink } = await import('mediabunny');
  for (const track of await input.getTracks()) {
    if (!track.isVideoTrack() && !track.isAudioTrack()) continue;
    const last = await new EncodedPacketSink(track).getPacket(Number.POSITIVE_INFINITY);
    if (!last) return true;
  }
  const announced = (await input.getDurationFromMetadata()) ?? 0;
  const missing = announced - (await input.computeDuration());
  return missing > Math.max(announcedToleranceSeconds, announced * announcedToleranceShare);
}

/**
 * From the first picture or sound to the last: the clock of a recording may begin at any time. What
 * lies before 0 is not presented (sound before a cut). So says a browser's `duration` of MP4, WebM
 * and MKV too.
 */
async function playedSeconds(input: Input): Promise<number> {
  return (await input.computeDuration()) - Math.max(0, await input.getFirstTimestamp());
}

async function describe(input: Input, track: InputVideoTrack) {
  const { packetCount, averagePacketRate } = await track.computePacketStats(countedFrames);
  const seconds = (await track.computeDuration()) - (await track.getFirstTimestamp());
  // The first frame may be later than 0.
  const rate = packetCount < countedFrames ? packetCount / seconds : averagePacketRate;
  return {
    durationMs: Math.round((await playedSeconds(input)) * 1_000),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    frameRate: Number.isFinite(rate) ? Math.round(rate * 1_000) / 1_000 : 0,
  };
}
