/** A media file -> what its container says of the picture, as people see it. */
import { stat } from 'node:fs/promises';
import type { Input, InputVideoTrack } from 'mediabunny';
import { accept, type Result, refuse } from '../lib/result.ts';
import type { ContainerName } from '../wire/content.ts';

/** Two hours at 25 frames a second: the rate of a longer video is that of its beginning. */
const countedFrames = 180_000;
/** Between what a container announces and what is in it there always is a little. */
const announcedToleranceSeconds = 1;
const announcedToleranceShare = 0.01;

export interface MediaFile {
  readonly container: ContainerName;
  readonly fileSizeBytes: number;
  readonly durationMs: number;
  /** After rotation. */
  readonly width: number;
  readonly height: number;
  /** Frames per second; of a variable rate, the average. */
  readonly frameRate: number;
}

export async function readMediaFile(file: string): Promise<Result<MediaFile, string>> {
  const found = await stat(file).catch(() => undefined);
  if (!found) return refuse('cannot be read');
  if (!found.isFile()) return refuse('is no file');
  // Loaded here, because no other verb needs it.
  const { Input, FilePathSource, MP4, QTFF, WEBM, MATROSKA, MPEG_TS } = await import('mediabunny');
  // Not all formats that there are: a playlist could name any file of the machine.
  const formats = { mp4: MP4, mov: QTFF, webm: WEBM, mkv: MATROSKA, ts: MPEG_TS } as const;
  const input = new Input({ formats: Object.values(formats), source: new FilePathSource(file) });
  try {
    if (found.size === 0 || !(await input.canRead())) return refuse('is no video');
    const format = await input.getFormat();
    const containers = Object.keys(formats) as ContainerName[];
    const container = containers.find((name) => formats[name] === format);
    const track = await input.getPrimaryVideoTrack();
    if (!track || !container) return refuse(await whyNoPicture(input));
    if (await isTruncated(input)) return refuse('is truncated');
    return accept({ container, fileSizeBytes: found.size, ...(await describe(input, track)) });
  } catch (error) {
    return refuse(`is damaged: ${error instanceof Error ? error.message : error}`);
  } finally {
    input.dispose();
  }
}

async function whyNoPicture(input: Input): Promise<string> {
  const tracks = await input.getTracks();
  return tracks.length === 0 ? 'is truncated: what it holds is not listed' : 'has no picture';
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

async function describe(input: Input, track: InputVideoTrack) {
  const { packetCount, averagePacketRate } = await track.computePacketStats(countedFrames);
  const seconds = (await track.computeDuration()) - (await track.getFirstTimestamp());
  // The first frame need not be at 0.
  const rate = packetCount < countedFrames ? packetCount / seconds : averagePacketRate;
  return {
    durationMs: Math.round((await input.computeDuration()) * 1_000),
    width: await track.getDisplayWidth(),
    height: await track.getDisplayHeight(),
    frameRate: Number.isFinite(rate) ? Math.round(rate * 1_000) / 1_000 : 0,
  };
}
