/** The program as it runs for its users: a file, made by the build beside this one. */
import { join } from 'node:path';

export const program = join(import.meta.dirname, '../../dist/main.js');
