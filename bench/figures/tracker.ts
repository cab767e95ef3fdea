import { gzipSync } from 'node:zlib';
import { buildTracker, trackerLimitGzipBytes } from '../../tracker/build.ts';
import { atMost, type Figure } from '../figure.ts';

export const tracker: Figure = {
  name: 'tracker',
  async measure() {
    const { script, module } = await buildTracker();
    const target = atMost(trackerLimitGzipBytes / 1_024);
    return {
      measured: [
        { what: 'tracker.js, gzipped', value: kibibytes(script), unit: 'KB', target },
        { what: 'tracker.mjs, gzipped', value: kibibytes(module), unit: 'KB', target },
      ],
    };
  },
};

function kibibytes(text: string): number {
  return gzipSync(text).length / 1_024;
}
