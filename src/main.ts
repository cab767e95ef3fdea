/** The program: reads the environment, hands the parts to the command line. */
import { readFileSync } from 'node:fs';
import { destination, pino } from 'pino';
import { describeInterface } from './api/app.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import { ConfigError, readConfig } from './config.ts';
import { systemClock } from './lib/clock.ts';
import { serve } from './serve.ts';
import { contentOf, openCatalogOf, openImporter, type Surroundings } from './service.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

// Whoever reads may stop reading: `playmeter openapi | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const complain = (line: string) => void process.stderr.write(`${line}\n`);
  let around: Surroundings;
  try {
    const config = readConfig(process.env);
    // The log goes to standard error: standard output is for what a verb prints.
    const logger = pino({ level: config.LOG_LEVEL }, destination({ fd: 2, sync: true }));
    around = { config, clock: systemClock, logger };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    complain(error.message);
    return 2;
  }
  return runCommandLine(argv, {
    version,
    content: contentOf(around.config),
    openCatalog: () => openCatalogOf(around),
    openImporter: () => openImporter(around),
    serve: () => serve(around, print),
    describeInterface,
    print,
    complain,
  });
}
