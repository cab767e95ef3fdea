/** By what a person shows that they are the one: a password, and a code where there is one. */
import type { Catalog, Credentials, SignedPerson } from '../../catalog/catalog.ts';
import type { LimiterOf } from '../../lib/limits/limiter.ts';
import type { Logger } from '../../lib/logger.ts';
import { findNetwork } from '../../lib/network/address-network.ts';
import type { Passwords } from '../../lib/password-hash.ts';
import type { Sealer } from '../../lib/sealer.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { hashRecoveryCode, stepOfCode } from './second-factor.ts';

/**
 * For one person, whether they are right or wrong. Who is beyond waits for a minute at most; from a
 * network where the person is signed in they count by themselves, so that nobody who guesses
 * elsewhere keeps the person out.
 */
const triesPerMinute = 10;
const freshMs = 600_000;
/** The id of no person. */
const nobody = 0;
/** When the answer is on its way. */
const noteAfterMs = 100;

export interface ProofParts {
  readonly catalog: Pick<Catalog, 'people' | 'sessions'>;
  readonly passwords: Passwords;
  /** See createSecondFactorSealer. */
  readonly secondFactorSealer: Pick<Sealer, 'open'>;
  readonly limiterOf: LimiterOf;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly logger: Pick<Logger, 'error'>;
}

interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly code: string | undefined;
}

/**
 * Those that throw do so with UNAUTHENTICATED where it is not the person, and RATE_LIMITED beyond
 * the tries.
 */
export interface Proofs {
  /** Says nothing of who there is, by its answer or by its time. */
  signIn(given: SignIn, address: string): Promise<Credentials>;
  /** Of a person who has a password. */
  requirePassword(who: Credentials, password: string | undefined, address: string): Promise<void>;
  /** Of a person who has a second factor; of others nothing is wanted. */
  requireCode(who: Credentials, code: string | undefined, address: string): Promise<void>;
  /** Whether somebody signed in within the last ten minutes, and still is. */
  isFresh(signed: Pick<SignedPerson, 'personId' | 'sessionId'>): Promise<boolean>;
}

export function createProofs(parts: ProofParts): Proofs {
  const { catalog, passwords, clock } = parts;
  const limiter = parts.limiterOf('sign-in of a person', triesPerMinute, 'exact');
  // Many addresses send as many as they like beyond the limit, which would fill the audit.
  const slowed = parts.limiterOf('notes of slowed sign-ins', 1, 'exact');

  /** After the answer, whose time must not tell whether there is an audit to write. */
  function note(
    action: 'SIGN_IN_REFUSED' | 'SIGN_IN_SLOWED',
    who: Credentials | undefined,
    address: string,
  ): void {
    if (who === undefined) return;
    clock.after(noteAfterMs, () => {
      catalog.people
        .note(who.personId, { action, after: { address } })
        .catch((error) => parts.logger.error({ err: error }, 'a refused sign-in was not noted'));
    });
  }

  async function takeTry(subject: string, who: Credentials | undefined, address: string) {
    const state = await limiter.consume(subject);
    if (state.consumed <= triesPerMinute) return;
    const network = findNetwork(address);
    // Of nobody as well, which takes as long.
    const sessions = await catalog.sessions.listOf(who?.personId ?? nobody);
    if (sessions.some((session) => findNetwork(session.address) === network)) {
      const own = await limiter.consume(`${subject} ${network}`);
      if (own.consumed <= triesPerMinute) return;
    }
    if ((await slowed.consume(subject)).consumed <= 1) note('SIGN_IN_SLOWED', who, address);
    throw new Fault('RATE_LIMITED', 'Too many tries for this person: wait a minute', {
      retryAfterSeconds: Math.ceil(state.msBeforeNext / 1_000),
      limit: 'sign-in of a person',
      personPerMinute: triesPerMinute,
    });
  }

  function refuse(who: Credentials | undefined, address: string): Fault {
    note('SIGN_IN_REFUSED', who, address);
    return new Fault('UNAUTHENTICATED', 'The mail address, the password or the code is wrong');
  }

  async function checkPassword(
    who: Credentials | undefined,
    password: string,
    address: string,
  ): Promise<Credentials> {
    const isRight = await passwords.verify(password, who?.passwordHash);
    if (!isRight || who === undefined) throw refuse(who, address);
    return who;
  }

  async function checkCode(
    who: Credentials,
    code: string | undefined,
    address: string,
  ): Promise<void> {
    const { personId, sealedSecondFactor } = who;
    if (sealedSecondFactor === undefined) return;
    if (code === undefined) {
      const detail = 'is needed: of the authenticator app, or a recovery code';
      throw new Fault('UNAUTHENTICATED', `The code ${detail}`, {
        errors: [{ parameter: 'code', detail }],
      });
    }
    const secret = parts.secondFactorSealer.open(sealedSecondFactor);
    const step = secret === undefined ? undefined : stepOfCode(secret, code, clock.now());
    const codeHash = hashRecoveryCode(code);
    const isRight =
      (step !== undefined && (await catalog.people.useSecondFactor({ personId, step }))) ||
      (codeHash !== undefined && (await catalog.people.useRecoveryCode(personId, codeHash)));
    if (!isRight) throw refuse(who, address);
  }

  return {
    async signIn({ email, password, code }, address) {
      const found = await catalog.people.credentialsByEmail(email);
      await takeTry(`email ${email.normalize('NFC').toLowerCase()}`, found, address);
      const who = await checkPassword(found, password, address);
      await checkCode(who, code, address);
      return who;
    },

    async requirePassword(who, password = '', address) {
      await takeTry(`person ${who.personId}`, who, address);
      await checkPassword(who, password, address);
    },

    async requireCode(who, code, address) {
      if (code !== undefined) await takeTry(`person ${who.personId}`, who, address);
      await checkCode(who, code, address);
    },

    async isFresh({ personId, sessionId }) {
      const all = await catalog.sessions.listOf(personId);
      const own = all.find((one) => one.sessionId === sessionId);
      return own !== undefined && own.createdAt.getTime() >= clock.now() - freshMs;
    },
  };
}
