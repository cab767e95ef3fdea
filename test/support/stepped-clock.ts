/**
 * Put before a program by `--import`: its clock is off by as many milliseconds as a file says. Read
 * at the start and again at each SIGUSR2. Timers run on, as they do where somebody sets the clock.
 */
import { readFileSync } from 'node:fs';

const RealDate = Date;
const file = process.env.STEPPED_CLOCK_FILE ?? '';
const readOffset = () => Number(readFileSync(file, 'utf8'));
let offsetMs = readOffset();
process.on('SIGUSR2', () => {
  offsetMs = readOffset();
});

const now = () => RealDate.now() + offsetMs;
globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (_target, given: []) =>
    given.length === 0 ? new RealDate(now()) : new RealDate(...given),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
