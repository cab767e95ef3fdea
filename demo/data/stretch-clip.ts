import { clipFile } from '../../src/import/clip-file.ts';
import { assert } from '../../src/lib/assert.ts';

/**
 * The bundled clip, played so slowly that it lasts as long as an invented film: its dial then
 * goes round once in the film. Its pictures are copied as they are, each at another time.
 */
export async function stretchClip(seconds: number): Promise<Uint8Array> {
  // Loaded only here, because no other verb needs it.
  const media = await import('mediabunny');
  const source = new media.FilePathSource(clipFile);
  const input = new media.Input({ formats: [media.MP4], source });
  try {
    const track = await input.getPrimaryVideoTrack();
    const decoderConfig = await track?.getDecoderConfig();
    assert(track?.codec && decoderConfig, 'the bundled clip has a picture');
    const factor = seconds / (await track.computeDuration());
    const target = new media.BufferTarget();
    const output = new media.Output({ format: new media.Mp4OutputFormat(), target });
    const stretched = new media.EncodedVideoPacketSource(track.codec);
    output.addVideoTrack(stretched);
    await output.start();
    for await (const packet of new media.EncodedPacketSink(track).packets()) {
      const [timestamp, duration] = [packet.timestamp * factor, packet.duration * factor];
      await stretched.add(packet.clone({ timestamp, duration }), { decoderConfig });
    }
    await output.finalize();
    assert(target.buffer, 'what is finished is in memory');
    return new Uint8Array(target.buffer);
  } finally {
    input.dispose();
  }
}
