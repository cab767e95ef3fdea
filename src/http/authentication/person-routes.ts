/** What people without a session do: a forgotten password, and an invitation. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Passwords } from '../../lib/password-hash.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { PeopleService } from '../../operations/operation.ts';
import { type SendPersonMail, writePersonMail } from '../../operations/people/mails.ts';
import { requireGoodPassword } from '../../operations/people/password-rules.ts';
import { createResetPath, linkMinutes, resetSent } from '../../operations/people/person-links.ts';
import type { Proofs } from '../../operations/people/proofs.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import { Fault } from '../../vocabulary/faults.ts';
import {
  Acceptance,
  EmailConfirmation,
  Forgotten,
  OpenInvitation,
  PageHeaders,
  Reset,
  ShownInvitation,
  SignedIn,
  SignInWays,
} from '../../wire/management/sessions.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { parameterFault } from '../../wire/parameters.ts';
import type { LimitWrongKeys } from '../limits/rate-limits.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import { readLanguage } from '../pages/reader-language.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import {
  type BeginForPerson,
  findSignedPerson,
  requireDashboard,
  requirePasswordSignIn,
  toActor,
} from './session-routes.ts';

const bodyLimitBytes = 4_096;
const sendAfterMs = 100;

export interface PersonRouteParts {
  readonly catalog: Catalog;
  readonly clock: Pick<Clock, 'after'>;
  readonly passwords: Passwords;
  readonly proofs: Proofs;
  readonly sendMail: SendPersonMail | undefined;
  readonly people: Pick<PeopleService, 'maySendLink'>;
  readonly takesPasswords: boolean;
  readonly takesKeys: () => Promise<boolean>;
  readonly hasPeople: () => Promise<boolean>;
  readonly oidc: { readonly host: string } | undefined;
  readonly limitWrongLinks: LimitWrongKeys;
  readonly addressOf: SenderAddress;
  /** PUBLIC_URL: what the sender names as the host is not believed in a mail. */
  readonly url: string;
  readonly logger: Pick<Logger, 'error'>;
  readonly beginForPerson: BeginForPerson;
}

export function addPersonRoutes(app: FastifyInstance, parts: PersonRouteParts): void {
  const { catalog, passwords, proofs } = parts;

  const post = (
    url: string,
    operation: Operation,
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) =>
    app.post(
      url,
      { ...documented(operation), bodyLimit: bodyLimitBytes },
      async (request, reply) => {
        requireDashboard(request);
        reply.header('cache-control', 'no-store');
        return answer(request, reply);
      },
    );

  app.get('/session/ways', documented(waysOperation), async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return {
      password: parts.takesPasswords,
      key: await parts.takesKeys(),
      provider: parts.oidc?.host ?? null,
      hasPeople: await parts.hasPeople(),
      mail: parts.sendMail !== undefined,
    };
  });

  post('/session/forgotten', forgottenOperation, async (request, reply) => {
    const { email } = checkMessage(Forgotten, request.body);
    // Counted as tries of links, so that nobody has mails sent by the thousand.
    const attempt = { secret: `${request.id}`, address: parts.addressOf(request.raw) };
    await parts.limitWrongLinks(attempt, reply.raw, async () => undefined);
    // After the answer, whose time must not tell whether there is somebody.
    parts.clock.after(sendAfterMs, () => {
      sendReset(email, request).catch((error) =>
        parts.logger.error({ err: error }, 'a link for a new password was not sent'),
      );
    });
    return reply.status(204).send();
  });

  async function sendReset(email: string, request: FastifyRequest): Promise<void> {
    const person = await catalog.people.findByEmail(email);
    if (person?.email === undefined || parts.sendMail === undefined) return;
    if (!(await parts.people.maySendLink('password', person.personId))) return;
    const address = parts.addressOf(request.raw);
    const event = { ...resetSent, after: { address } };
    const link = parts.url + (await createResetPath(catalog, person.personId, event));
    const to = { to: person.email, language: person.language };
    parts.sendMail(writePersonMail('reset', to, { link }));
  }

  post('/session/reset', resetOperation, async (request, reply) => {
    const { link, password, code } = checkMessage(Reset, request.body);
    const address = parts.addressOf(request.raw);
    const attempt = { secret: link, address };
    const personId = await parts.limitWrongLinks(attempt, reply.raw, () =>
      catalog.sessions.findPersonLink(link),
    );
    const who = personId === undefined ? undefined : await catalog.people.credentials(personId);
    if (who === undefined) throw voidLink();
    const chosen = parts.takesPasswords ? requireGood(password, who) : undefined;
    await proofs.requireCode(who, code, address);
    // Before the link is spent: where too many are being hashed, it works again later.
    const hash = chosen === undefined ? undefined : await passwords.hash(chosen);
    // Of two who follow it at once, one goes on.
    if ((await catalog.sessions.spendPersonLink(link)) === undefined) throw voidLink();
    if (hash !== undefined) {
      const acting = catalog.as({ ...toActor(who), address });
      accepted(await acting.people.setPassword(who.personId, hash));
    }
    return reply.status(201).send(await parts.beginForPerson(who.personId, request, reply));
  });

  post('/session/email', emailOperation, async (request, reply) => {
    const { link } = checkMessage(EmailConfirmation, request.body);
    const address = parts.addressOf(request.raw);
    const confirmed = await parts.limitWrongLinks({ secret: link, address }, reply.raw, () =>
      catalog.people.confirmEmail(link),
    );
    if (confirmed === undefined) throw voidLink();
    const { email, formerEmail, language } = accepted(confirmed);
    if (formerEmail !== undefined && email !== undefined) {
      const to = { to: formerEmail, language };
      parts.sendMail?.(writePersonMail('emailChanged', to, { email }));
    }
    return reply.status(204).send();
  });

  async function findInvitation(token: string, request: FastifyRequest, reply: FastifyReply) {
    const attempt = { secret: token, address: parts.addressOf(request.raw) };
    const open = await parts.limitWrongLinks(attempt, reply.raw, () =>
      catalog.invitations.find(token),
    );
    if (open) return open;
    throw voidInvitation();
  }

  post('/session/invitation', invitationOperation, async (request, reply) => {
    const { invitation } = checkMessage(ShownInvitation, request.body);
    const open = await findInvitation(invitation, request, reply);
    const { accountName, inviterName, email, role, packageIds } = open;
    const person = email === undefined ? undefined : await catalog.people.findByEmail(email);
    return {
      ...{ accountName: accountName ?? null, inviterName: inviterName ?? null },
      ...{ email: email ?? null, role },
      ...{ isNarrowed: packageIds !== undefined, hasPerson: person !== undefined },
    };
  });

  post('/session/acceptance', acceptanceOperation, async (request, reply) => {
    const { invitation, ...given } = checkMessage(Acceptance, request.body);
    const open = await findInvitation(invitation, request, reply);
    const signed = await findSignedPerson(catalog, request);
    const who = signed
      ? { personId: signed.personId }
      : await newPerson(given, open.email, request);
    const joined = await catalog.invitations.accept(invitation, who);
    if (joined === undefined) throw voidInvitation();
    const { personId } = accepted(joined);
    const accountId = open.accountId ?? undefined;
    const signedIn = await parts.beginForPerson(personId, request, reply, { accountId });
    return reply.status(201).send(signedIn);
  });

  async function newPerson(
    { name, email, password, language }: Omit<Acceptance, 'invitation'>,
    invited: string | undefined,
    request: FastifyRequest,
  ) {
    requirePasswordSignIn(parts);
    const address = invited ?? email;
    const missing = [
      ...(name === undefined ? ['name'] : []),
      ...(address === undefined ? ['email'] : []),
    ];
    if (name === undefined || address === undefined) {
      throw parameterFault(missing.map((parameter) => ({ parameter, detail: 'is required' })));
    }
    const passwordHash = await passwords.hash(requireGood(password, { email: address, name }));
    return {
      ...{ name, email: address, language: language ?? readLanguage(request.headers) },
      passwordHash,
    };
  }
}

function requireGood(
  password: string | undefined,
  own: Parameters<typeof requireGoodPassword>[1],
): string {
  if (password === undefined) {
    throw parameterFault([{ parameter: 'password', detail: 'is required' }]);
  }
  requireGoodPassword(password, own);
  return password;
}

function voidInvitation(): Fault {
  return new Fault('UNAUTHENTICATED', 'This invitation is no longer valid: it works once');
}

function voidLink(): Fault {
  const detail = `This link is no longer valid: it works once, within ${linkMinutes} minutes`;
  return new Fault('UNAUTHENTICATED', detail);
}

const ofPages = { tag: 'Dashboard', headers: PageHeaders } as const;
const faults: NonNullable<Operation['faults']> = [
  ...(['MISSING_PARAMETER', 'INVALID_PARAMETER', 'UNAUTHENTICATED', 'FORBIDDEN'] as const),
  ...(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMITED', 'UNAVAILABLE'] as const),
];
const signedIn = {
  201: {
    description: 'Who is signed in now.',
    headers: ['Set-Cookie'],
    content: { 'application/json': SignedIn },
  },
} satisfies Operation['answers'];

const waysOperation: Operation = {
  operationId: 'signInWays',
  tag: 'Dashboard',
  summary: 'Get the ways in which somebody can sign in',
  answers: {
    200: { description: 'The ways.', content: { 'application/json': SignInWays } },
  },
  faults: ['RATE_LIMITED', 'UNAVAILABLE'],
};

const forgottenOperation: Operation = {
  ...ofPages,
  operationId: 'forgotten',
  summary: 'Have a link for a new password sent',
  description:
    'To the address itself, if somebody has it: the answer does not say. The link works once, ' +
    `within ${linkMinutes} minutes.`,
  body: { 'application/json': Forgotten },
  answers: { 204: { description: 'If somebody has the address, a mail is on its way.' } },
  faults,
};

const resetOperation: Operation = {
  ...ofPages,
  operationId: 'resetPassword',
  summary: 'Set a new password by a link, and sign in',
  description:
    'All other sessions of the person end. A second factor stays, and its code is needed here ' +
    'too. Where `PASSWORD_SIGN_IN` is off, the link signs in alone.',
  body: { 'application/json': Reset },
  answers: signedIn,
  faults,
};

const emailOperation: Operation = {
  ...ofPages,
  operationId: 'confirmEmail',
  summary: 'Confirm a new mail address by the link that was sent to it',
  description:
    'The former address is told by mail, and links for a new password that were sent to it are ' +
    'void. Nobody is signed in by it. `409`: somebody else has the address.',
  body: { 'application/json': EmailConfirmation },
  answers: { 204: { description: 'It is the address of the person now.' } },
  faults: [...faults, 'NOT_FOUND', 'CONFLICT'],
};

const invitationOperation: Operation = {
  ...ofPages,
  operationId: 'openInvitation',
  summary: 'Get what an invitation is to',
  body: { 'application/json': ShownInvitation },
  answers: {
    200: { description: 'The invitation.', content: { 'application/json': OpenInvitation } },
  },
  faults,
};

const acceptanceOperation: Operation = {
  ...ofPages,
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation, and sign in',
  description:
    'Whoever is signed in becomes a member, if the invitation is for their address. Otherwise a ' +
    'person is made of `name` and `password`, with the address that was invited; the first ' +
    'person, made by the link of the first start, gives `email` too.',
  body: { 'application/json': Acceptance },
  answers: signedIn,
  faults: [...faults, 'NOT_FOUND', 'CONFLICT'],
};
