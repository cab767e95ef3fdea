/** The program that tests start as a process, built from the sources that are here. */
export { program } from '../../scripts/program/program.ts';

// Outside a test run scripts/run.mjs has built it.
if (process.env.VITEST) (await import('./shared-parts.ts')).requireBuilt('program');
