/** The program that tests start as a process, built from the sources that are here. */
export { program } from '../../scripts/program/program.ts';

// Outside a test run scripts/run.mjs has built it, and what it serves.
if (process.env.VITEST) {
  const { requireBuilt } = await import('./shared-parts.ts');
  requireBuilt('program');
  requireBuilt('pages');
}
