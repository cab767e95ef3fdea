/**
 * PostgreSQL for a parent, in its folder: prints the URL of a database, ends with its parent.
 * A process of its own, because its package ends on every signal, before what uses it has stopped.
 */
import { startPostgres } from '../../test/support/postgres.ts';

const [folder] = process.argv.slice(2);
const postgres = await startPostgres(folder);
console.log(await postgres.createDatabase());
process.stdin.on('end', () => void postgres.stop()).resume();
