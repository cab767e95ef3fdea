/**
 * The long form: npm run attack -- [NAME...] [--service FOLDER] [--seed N]
 * [--short]. Prints what each attack
 * did; exit code 1 where one was not held. FOLDER is another checkout of the project, installed.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readSeed } from '../support/seed.ts';
import type { Attack, Struck } from './attack.ts';
import { attacks } from './attacks.ts';
import { setStage } from './set-stage.ts';
import { strikeBesidePlayer } from './strike-beside-player.ts';

const { values, positionals } = parseArgs({
  options: {
    service: { type: 'string' },
    seed: { type: 'string' },
    short: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !attacks.some((attack) => attack.name === name));
if (unknown.length > 0) {
  const names = attacks.map(({ name }) => name).join(', ');
  throw new Error(`No such attack: ${unknown.join(', ')}. There are ${names}`);
}
const chosen =
  positionals.length === 0 ? attacks : attacks.filter(({ name }) => positionals.includes(name));
const seed = readSeed(values.seed);
console.log(`Seed ${seed}`);
const service = values.service;
const project = service === undefined ? {} : { project: resolve(service) };
const stage = setStage({ isLong: !values.short, seed, ...project });

// Who stops it stops the services under attack with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stage.close().finally(() => process.exit(1)));
}

let held = 0;
for (const attack of chosen) {
  const startedAt = performance.now();
  const struck = await strike(attack);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  await stage.clear();
  const wrong = [...struck.wrong, ...(struck.slow ?? [])];
  if (wrong.length === 0) held += 1;
  print(attack, struck, wrong);
  console.log(`  took      ${seconds} s`);
}
await stage.close();
console.log(`\n${held} of ${chosen.length} attacks were held`);
process.exit(held === chosen.length ? 0 : 1);

async function strike(attack: Attack): Promise<Struck> {
  try {
    return await strikeBesidePlayer(attack, stage);
  } catch (error) {
    return { measured: 'failed', wrong: [String(error)] };
  }
}

function print(attack: Attack, { measured }: Struck, wrong: readonly string[]): void {
  const lines = {
    does: attack.does,
    wanted: attack.wanted,
    measured,
    held: wrong.length === 0 ? 'yes' : `NO: ${wrong.join('; ')}`,
  };
  console.log(`\n${attack.name}`);
  for (const [name, text] of Object.entries(lines)) console.log(`  ${name.padEnd(9)} ${text}`);
}
