import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { trackerLimitGzipBytes } from '../../tracker/build.ts';
import { atMost, type Figure } from '../figure.ts';

export const tracker: Figure = {
  name: 'tracker',
  async measure() {
    const measured = ['tracker.js', 'tracker.mjs'].map(async (name) => ({
      what: `${name}, gzipped`,
      value: gzipSync(await readFile(`tracker/dist/${name}`)).length / 1_024,
      unit: 'KB',
      target: atMost(trackerLimitGzipBytes / 1_024),
    }));
    return { measured: await Promise.all(measured) };
  },
};
