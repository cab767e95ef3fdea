/** Passwords as they are stored: argon2id, with its parameters beside the hash. */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createWaitingLine } from './tasks/waiting-line.ts';
import type { Clock } from './time/clock.ts';

/** As OWASP recommends: 19 MiB, two passes. */
const usual = { memory: 19_456, passes: 2, parallelism: 1 };
const saltBytes = 16;
const hashBytes = 32;
/** Each takes 19 MiB and a thread of a few: files and names are to be read meanwhile. */
const atOnce = 2;
/** A few seconds of work. */
const mostWaiting = 100;
const mostWaitMs = 10_000;

const derive = promisify(argon2) as (
  algorithm: 'argon2id',
  parameters: Argon2Parameters,
) => Promise<Buffer>;

export interface Passwords {
  /** `$argon2id$v=19$m=...,t=...,p=...$salt$hash`, in base64url. */
  hash(password: string): Promise<string>;
  /** Takes as long where there is no hash. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
}

/** Both reject with what `tooMany` gives while too many are being hashed. */
export function createPasswords(clock: Pick<Clock, 'after'>, tooMany: () => Error): Passwords {
  const waiting = createWaitingLine(clock);
  let underWay = 0;

  async function enter(): Promise<void> {
    if (underWay >= atOnce) {
      const isTurn = waiting.length < mostWaiting && (await waiting.wait(mostWaitMs));
      if (!isTurn) throw tooMany();
      return;
    }
    underWay += 1;
  }

  /** Who waits takes the place over. */
  function leave(): void {
    if (waiting.length > 0) waiting.letFirstGo();
    else underWay -= 1;
  }

  async function run(password: string, salt: Buffer, parameters: typeof usual): Promise<Buffer> {
    const message = Buffer.from(password.normalize('NFKC'));
    await enter();
    try {
      return await derive('argon2id', {
        ...{ ...parameters, message, nonce: salt, tagLength: hashBytes },
      });
    } finally {
      leave();
    }
  }

  return {
    async hash(password) {
      const salt = randomBytes(saltBytes);
      const { memory, passes, parallelism } = usual;
      const texts = [salt, await run(password, salt, usual)].map((one) =>
        one.toString('base64url'),
      );
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${texts.join('$')}`;
    },

    async verify(password, stored) {
      const read = stored === undefined ? undefined : readStored(stored);
      const { salt, hash, parameters } = read ?? nobody;
      const found = await run(password, salt, parameters);
      return timingSafeEqual(found, hash) && read !== undefined;
    },
  };
}

const nobody = { salt: randomBytes(saltBytes), hash: randomBytes(hashBytes), parameters: usual };

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w-]{22})\$([\w-]{43})$/;

function readStored(stored: string): typeof nobody | undefined {
  const [, memory, passes, parallelism, salt = '', hash = ''] = form.exec(stored) ?? [];
  if (memory === undefined) return undefined;
  return {
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
    parameters: {
      ...{ memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    },
  };
}
