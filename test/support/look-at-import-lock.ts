/** A process of its own for the tests of the data folder: looks 500 times for another import. */
import { refuseBesideImport } from '../../src/app/data-folder.ts';

for (let look = 0; look < 500; look += 1) refuseBesideImport(process.argv[2] ?? '');
