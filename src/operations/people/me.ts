/** What people read and change of themselves. All of it needs the person, never a key. */
import type { CatalogParts, Credentials, PersonSession } from '../../catalog/catalog.ts';
import { Fault } from '../../vocabulary/faults.ts';
import {
  EmailChange,
  NewSecondFactor,
  OwnPerson,
  PasswordChange,
  Person,
  PersonAccountList,
  PersonChanges,
  RecoveryCodes,
  SecondFactorCode,
  SecondFactorRemoval,
  SecondFactorStart,
  SessionList,
  SessionPath,
} from '../../wire/management/people.ts';
import { PageRequest } from '../../wire/management-messages.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { defineOperation, paginate, type RunningService } from '../operation.ts';
import { accepted, found } from '../refusal-faults.ts';
import { writePersonMail } from './mails.ts';
import { requireGoodPassword } from './password-rules.ts';
import { createEmailPath } from './person-links.ts';
import { toPersonAccount, toPersonRecord } from './person-records.ts';
import {
  drawRecoveryCodes,
  drawSecondFactor,
  hashRecoveryCode,
  stepOfCode,
} from './second-factor.ts';

const url = '/manage/v1/people/me';
const secondFactorUrl = `${url}/second-factor`;

export const me = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'ownPerson' },
    role: 'person',
    summary: 'Get who is signed in',
    answers: { 200: OwnPerson },
    serve: async ({ catalog, service }) => {
      const person = service.signedPerson();
      const recoveryCodes = await catalog.people.countRecoveryCodes(person.personId);
      return { ...toPersonRecord(person), recoveryCodes };
    },
  }),

  defineOperation({
    ...{ method: 'PATCH', url, operationId: 'changeOwnPerson' },
    role: 'person',
    summary: 'Change your name or language',
    body: PersonChanges,
    answers: { 200: Person },
    audit: ['PERSON_CHANGED'],
    serve: async ({ catalog, service, body }) => {
      const { personId } = service.signedPerson();
      return toPersonRecord(accepted(await catalog.people.change(personId, body)));
    },
  }),

  defineOperation({
    ...{ method: 'PUT', url: `${url}/password`, operationId: 'changeOwnPassword' },
    role: 'person',
    summary: 'Set a new password',
    description:
      'All other sessions of yours end. Whoever has no password must have signed in within the ' +
      'last ten minutes.',
    body: PasswordChange,
    answers: { 204: null },
    faults: ['UNAUTHENTICATED', 'CONFLICT'],
    audit: ['PASSWORD_CHANGED'],
    serve: async ({ catalog, service, body: { password, formerPassword, code } }) => {
      const { sessionId } = service.signedPerson();
      const who = await findCredentials(catalog, service);
      await requireItself(service, who, formerPassword);
      await service.people.proofs.requireCode(who, code, service.people.address);
      requireGoodPassword(password, who);
      const hash = await service.people.passwords.hash(password);
      accepted(await catalog.people.setPassword(who.personId, hash, sessionId));
    },
  }),

  defineOperation({
    ...{ method: 'PUT', url: `${url}/email`, operationId: 'changeOwnEmail' },
    role: 'person',
    summary: 'Have a link sent that changes your mail address',
    description:
      'To the new address; it works once, within 30 minutes, and until then nothing changes. The ' +
      'answer does not say whether somebody has the address. Whoever has no password must have ' +
      'signed in within the last ten minutes. Needs `SMTP_URL`.',
    body: EmailChange,
    answers: { 204: null },
    faults: ['UNAUTHENTICATED', 'CONFLICT', 'RATE_LIMITED'],
    audit: ['EMAIL_CHANGE_STARTED'],
    serve: async ({ catalog, service, body: { email, password, code } }) => {
      const { people } = service;
      const who = await findCredentials(catalog, service);
      if (people.sendMail === undefined) {
        const how = 'whoever runs the service makes a link: playmeter person email';
        throw new Fault('CONFLICT', `No mail is sent here: ${how}`);
      }
      await requireItself(service, who, password);
      await people.proofs.requireCode(who, code, people.address);
      if (!(await people.maySendLink('email', who.personId))) {
        throw new Fault('RATE_LIMITED', 'You were just sent such links: wait a minute', {
          ...{ retryAfterSeconds: 60, limit: 'links for a person' },
        });
      }
      const link = people.url + (await createEmailPath(catalog, who.personId, email));
      const to = { to: email, language: who.language };
      people.sendMail(writePersonMail('newEmail', to, { link }));
    },
  }),

  defineOperation({
    ...{ method: 'GET', url: `${url}/sessions`, operationId: 'ownSessions' },
    role: 'person',
    summary: 'List your sessions',
    description: 'The newest first.',
    query: PageRequest,
    answers: { 200: SessionList },
    serve: async ({ catalog, service, query }) => {
      const { personId, sessionId } = service.signedPerson();
      const sessions = await catalog.sessions.listOf(personId);
      return paginate(
        sessions.map((session) => toSessionRecord(session, sessionId)),
        query,
      );
    },
  }),

  defineOperation({
    ...{ method: 'DELETE', url: `${url}/sessions/:sessionId`, operationId: 'endOwnSession' },
    role: 'person',
    summary: 'End a session of yours',
    description: 'On this node at once, on other nodes within a second.',
    path: SessionPath,
    answers: { 204: null },
    audit: ['SIGNED_OUT'],
    serve: async ({ catalog, service, path }) => {
      const { personId } = service.signedPerson();
      accepted(await catalog.sessions.endOf(personId, path.sessionId));
    },
  }),

  defineOperation({
    ...{ method: 'POST', url: secondFactorUrl, operationId: 'startSecondFactor' },
    role: 'person',
    isNotKept: true,
    summary: 'Begin a second factor',
    description:
      'Nothing is asked for yet: confirm it with a code of the app first. Whoever has no password ' +
      'must have signed in within the last ten minutes.',
    body: SecondFactorStart,
    bodyIsOptional: true,
    answers: { 200: NewSecondFactor },
    faults: ['UNAUTHENTICATED', 'CONFLICT'],
    audit: ['SECOND_FACTOR_STARTED'],
    serve: async ({ catalog, service, body: { password } }) => {
      const { secondFactorSealer } = service.people;
      const who = await findCredentials(catalog, service);
      await requireItself(service, who, password);
      const drawn = drawSecondFactor(who.email ?? who.name);
      const sealed = secondFactorSealer.seal(drawn.secret);
      accepted(await catalog.people.prepareSecondFactor(who.personId, sealed));
      return drawn;
    },
  }),

  defineOperation({
    ...{ method: 'PUT', url: secondFactorUrl, operationId: 'confirmSecondFactor' },
    role: 'person',
    summary: 'Confirm the second factor',
    description: 'From then on its code is asked for. Write the recovery codes down.',
    body: SecondFactorCode,
    answers: { 200: RecoveryCodes },
    faults: ['CONFLICT'],
    audit: ['SECOND_FACTOR_ADDED'],
    serve: async ({ catalog, service, body: { code } }) => {
      const { personId } = service.signedPerson();
      const { secondFactorSealer, clock } = service.people;
      const sealed = await catalog.people.preparedSecondFactor(personId);
      const secret = sealed && secondFactorSealer.open(sealed);
      const step = secret === undefined ? undefined : stepOfCode(secret, code, clock.now());
      if (step === undefined) {
        throw parameterFault([{ parameter: 'code', detail: 'is not what the app shows now' }]);
      }
      const recoveryCodes = drawRecoveryCodes();
      const hashes = recoveryCodes.flatMap((one) => hashRecoveryCode(one) ?? []);
      accepted(await catalog.people.confirmSecondFactor({ personId, step }, hashes));
      return { recoveryCodes };
    },
  }),

  defineOperation({
    ...{ method: 'POST', url: `${secondFactorUrl}/removal`, operationId: 'removeSecondFactor' },
    role: 'person',
    isNotKept: true,
    summary: 'Remove your second factor',
    body: SecondFactorRemoval,
    answers: { 204: null },
    faults: ['UNAUTHENTICATED', 'CONFLICT'],
    audit: ['SECOND_FACTOR_REMOVED'],
    serve: async ({ catalog, service, body: { password, code } }) => {
      const who = await findCredentials(catalog, service);
      await requireItself(service, who, password);
      await service.people.proofs.requireCode(who, code, service.people.address);
      accepted(await catalog.people.removeSecondFactor(who.personId));
    },
  }),

  defineOperation({
    ...{ method: 'GET', url: '/manage/v1/accounts', operationId: 'ownAccounts' },
    role: 'person',
    summary: 'List the accounts that you are a member of',
    description: 'Which one a request is about, the header `x-playmeter-account` says by its id.',
    query: PageRequest,
    answers: { 200: PersonAccountList },
    serve: async ({ service, query }) =>
      paginate(service.signedPerson().memberships.map(toPersonAccount), query),
  }),
];

async function findCredentials(
  { people }: Pick<CatalogParts, 'people'>,
  service: RunningService,
): Promise<Credentials> {
  return found(await people.credentials(service.signedPerson().personId), 'NO_PERSON');
}

/**
 * Not whoever sits down at the desk of somebody who is signed in. Who has no password shows that it
 * is them by signing in anew.
 */
async function requireItself(
  { people: { proofs, address }, signedPerson }: RunningService,
  who: Credentials,
  password: string | undefined,
): Promise<void> {
  if (who.passwordHash !== undefined) {
    await proofs.requirePassword(who, password, address);
  } else if (!(await proofs.isFresh(signedPerson()))) {
    throw new Fault('CONFLICT', 'Sign out and in again first: it must be within ten minutes');
  }
}

function toSessionRecord(session: PersonSession, own: number) {
  const { sessionId, device, address, country, createdAt, usedAt, expiresAt } = session;
  return {
    ...{ sessionId, isThis: sessionId === own, device, address, country: country || null },
    createdAt: createdAt.toISOString(),
    usedAt: usedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
