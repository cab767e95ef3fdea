/**
 * Draws the demo's clip and encodes it: `node demo/make-clip.ts` writes demo/clip.mp4, which is
 * committed, so that nobody needs an encoder to see it. A dial goes round once in the clip's
 * length: wherever one pauses or seeks, it shows how much has been played.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawFrame, type Size } from './draw-frame.ts';

const clipSeconds = 12;
const framesPerSecond = 24;
const size: Size = { width: 640, height: 360 };

const clip = fileURLToPath(new URL('clip.mp4', import.meta.url));
const installed = createRequire(import.meta.url).resolve(
  '@ffmpeg-installer/linux-x64/package.json',
);
const ffmpeg = join(dirname(installed), 'ffmpeg');

/** Two soft notes, a fifth apart, that swell and fade with the turning dial. */
const swell = `0.5-0.5*cos(2*PI*t/${clipSeconds / 4})`;
const notes = `0.10*(${swell})*(sin(2*PI*220*t)+0.6*sin(2*PI*330*t)+0.3*sin(2*PI*440*t))`;

const frameForm = `-pix_fmt rgb24 -s ${size.width}x${size.height} -r ${framesPerSecond}`;
const pictures = `-f rawvideo ${frameForm} -i -`;
const sound = `-f lavfi -t ${clipSeconds} -i aevalsrc=${notes}:s=44100`;
const video = '-c:v libx264 -profile:v main -level 3.0 -preset veryslow -crf 27 -pix_fmt yuv420p';
// A key frame every two seconds, so that seeking is quick.
const keyFrames = `-g ${framesPerSecond * 2}`;
const audio = '-c:a aac -b:a 40k -ac 1';
// Without bit-exact flags the encoder's version would be written into the file.
const file = '-movflags +faststart -map_metadata -1 -fflags +bitexact -flags:v +bitexact -y';

const encoder = spawn(
  ffmpeg,
  [...`-v error ${pictures} ${sound} ${video} ${keyFrames} ${audio} ${file}`.split(' '), clip],
  { stdio: ['pipe', 'inherit', 'inherit'] },
);
const finished = once(encoder, 'exit');

const frames = clipSeconds * framesPerSecond;
for (let frame = 0; frame < frames; frame += 1) {
  const seconds = frame / framesPerSecond;
  const drawn = drawFrame(size, seconds, clipSeconds);
  if (!encoder.stdin.write(drawn)) await once(encoder.stdin, 'drain');
}
encoder.stdin.end();

const [code] = await finished;
if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
console.log(`${clip}: ${clipSeconds} s`);
