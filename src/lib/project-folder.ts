/** Where the files of the project lie, of a clone as of the packed product. */
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { assert } from './assert.ts';

const manifest = findPackageJSON(import.meta.url);
assert(manifest, 'the program lies in the folder of its package.json');

/** Absolute. Found from here, because this module runs from src/ and, bundled, from dist/. */
export const projectFolder = dirname(manifest);
