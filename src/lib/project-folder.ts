/** Where the files of the project lie, of a clone as of the packed product. */
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';

/** Absolute. Found from here, because this module runs from src/ and, bundled, from dist/. */
export const projectFolder = dirname(findPackageJSON(import.meta.url) ?? '');
