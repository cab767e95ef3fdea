/**
 * The bundled engine's own process: loads ClickHouse as a library and runs it until it is killed.
 *
 * TRICKY: the call into the library never returns, so this thread can do nothing else. A worker
 * watches a pipe whose other end only the service holds: when the service is gone, for whatever
 * reason, the pipe ends and so does this process.
 */

import { constants, openSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DataType, load, open } from 'ffi-rs';
import { enginePackage } from './engine-settings.ts';

/** The descriptor of the pipe that the service holds (spawnEngine). */
const parentPipe = 3;
const standardInput = 0;
const { O_NOCTTY, O_RDWR } = constants;

const watchParent = `
  const end = () => process.kill(process.pid, 'SIGKILL');
  const pipe = require('node:fs').createReadStream(null, { fd: ${parentPipe} });
  pipe.on('end', end).on('error', end).resume();
`;

// Sleeps for ever: the engine serves as long as its one local query runs.
const serve = (protocols: readonly string[]) => `
  ${protocols.map((protocol) => `SYSTEM START LISTEN ${protocol};`).join('\n  ')}
  SELECT sleepEachRow(3) FROM numbers(1000000000)
  SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0, max_execution_time = 0
  FORMAT Null`;

function main([configFile, storeFolder, port, ...protocols]: string[]): void {
  const packageFile = createRequire(import.meta.url).resolve(enginePackage);
  open({ library: 'chdb', path: join(dirname(packageFile), 'libchdb.so') });
  new Worker(watchParent, { eval: true });
  try {
    openTerminal();
  } catch (cause) {
    console.error(`No terminal: a connection that is reset will end the engine. ${cause}`);
  }
  const call = [
    'clickhouse',
    // With a terminal this is what keeps it from ending itself. It comes to a prompt only if the
    // query fails, and there reads what openTerminal typed: the rest is so that nothing else does.
    '--interactive',
    '--disable_suggestion',
    '--progress=off',
    '--progress-table=off',
    '--enable-progress-table-toggle=0',
    `--config-file=${configFile}`,
    `--path=${storeFolder}`,
    `--http_port=${port}`,
    '--listen_host=127.0.0.1',
    '--log-level=error',
    '--query',
    serve(['HTTP', ...protocols]),
  ];
  const answer = load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [call.length, call],
  });
  const error = load({
    library: 'chdb',
    funcName: 'chdb_result_error',
    retType: DataType.String,
    paramsType: [DataType.External],
    paramsValue: [answer],
  });
  console.error(error);
  process.exit(1);
}

/**
 * Makes a new terminal the standard input of this process. What was typed there ends a prompt, if
 * it ever comes to one.
 *
 * TRICKY: without one the library ends the process for whatever a connection throws, a reset as
 * well: https://github.com/ClickHouse/ClickHouse/issues/115666, mended in August 2026.
 *
 * @throws where the system has no terminals to give
 */
function openTerminal(): void {
  open({ library: 'libc', path: 'libc.so.6' });
  const controller = openSync('/dev/ptmx', O_RDWR | O_NOCTTY);
  writeSync(controller, 'exit\n');
  callLibc('unlockpt', controller);
  const name = load({
    library: 'libc',
    funcName: 'ptsname',
    retType: DataType.String,
    paramsType: [DataType.I32],
    paramsValue: [controller],
  });
  callLibc('dup2', openSync(name, O_RDWR | O_NOCTTY), standardInput);
}

function callLibc(funcName: string, ...paramsValue: readonly number[]): void {
  const answer = load({
    library: 'libc',
    funcName,
    retType: DataType.I32,
    paramsType: paramsValue.map(() => DataType.I32),
    paramsValue: [...paramsValue],
  });
  if (answer < 0) throw new Error(`${funcName} answered ${answer}`);
}

main(process.argv.slice(2));
