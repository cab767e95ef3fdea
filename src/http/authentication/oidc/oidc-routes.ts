/** Signing in by an OIDC provider: there and back, with what is kept meanwhile in a sealed cookie. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalog, SignedPerson } from '../../../catalog/catalog.ts';
import type { Logger } from '../../../lib/logger.ts';
import type { Sealer } from '../../../lib/sealer.ts';
import type { Proofs } from '../../../operations/people/proofs.ts';
import { accepted } from '../../../operations/refusal-faults.ts';
import { type ClaimRule, findStandings } from '../../../vocabulary/claim-rules.ts';
import { Fault } from '../../../vocabulary/faults.ts';
import { PageHeaders, ProviderStart, ProviderUrl } from '../../../wire/management/sessions.ts';
import { checkMessage } from '../../../wire/message-check.ts';
import { documented, type Operation } from '../../openapi/operation.ts';
import { readLanguage } from '../../pages/reader-language.ts';
import { clearErrand, errandSeconds, readErrand, setErrand } from '../session-cookie.ts';
import { type BeginForPerson, findSignedPerson, requireDashboard } from '../session-routes.ts';
import type { Errand, Provider, ProviderPerson } from './provider.ts';

const bodyLimitBytes = 1_024;

export interface OidcParts {
  readonly provider: Provider;
  readonly rules: readonly ClaimRule[];
  readonly redirectUri: string;
  /** Of the provider. */
  readonly host: string;
  /** Of what is kept in the browser meanwhile. */
  readonly errandSealer: Sealer;
}

interface RouteParts {
  /** Undefined: there is no provider. */
  readonly oidc: OidcParts | undefined;
  readonly catalog: Catalog;
  readonly clock: { now(): number };
  readonly logger: Pick<Logger, 'warn'>;
  readonly proofs: Pick<Proofs, 'isFresh'>;
  readonly beginForPerson: BeginForPerson;
}

interface KeptErrand extends Errand {
  readonly untilMs: number;
  readonly invitation?: string | undefined;
  /** Who was signed in, and binds the identity to themselves if they had just signed in. */
  readonly signed?: Pick<SignedPerson, 'personId' | 'sessionId'> | undefined;
}

const url = '/session/oidc';

export function addOidcRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { catalog, clock } = parts;

  function requireProvider(): OidcParts {
    if (parts.oidc) return parts.oidc;
    throw new Fault('NOT_FOUND', 'There is no OIDC provider: see OIDC_ISSUER');
  }

  app.post(url, { ...documented(start), bodyLimit: bodyLimitBytes }, async (request, reply) => {
    requireDashboard(request);
    reply.header('cache-control', 'no-store');
    const { invitation } = request.body ? checkMessage(ProviderStart, request.body) : {};
    const { provider, errandSealer } = requireProvider();
    const { url, errand } = await provider.begin().catch((cause) => {
      throw new Fault('UNAVAILABLE', 'The OIDC provider does not answer', {
        ...{ cause, retryAfterSeconds: 10 },
      });
    });
    const signed = invitation === undefined ? await findSignedPerson(catalog, request) : undefined;
    const kept: KeptErrand = {
      ...errand,
      untilMs: clock.now() + errandSeconds * 1_000,
      invitation,
      ...(signed && { signed: { personId: signed.personId, sessionId: signed.sessionId } }),
    };
    setErrand(request, reply, errandSealer.seal(JSON.stringify(kept)).toString('base64url'));
    return { url };
  });

  // Where the provider sends the browser: a page, whose failures are shown by another one.
  app.get(url, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const next = await comeBack(request, reply).catch((error) => {
      // Its message alone: its cause has what the provider sent.
      parts.logger.warn({ reason: String(error) }, 'a sign-in by the OIDC provider failed');
      return refusal('failed');
    });
    if (readErrand(request) !== undefined) clearErrand(request, reply);
    return reply.redirect(next, 303);
  });

  /** Resolves to the page that comes next. */
  async function comeBack(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { provider, rules, redirectUri, errandSealer } = requireProvider();
    const sealed = readErrand(request);
    const opened = sealed && errandSealer.open(Buffer.from(sealed, 'base64url'));
    if (!opened) return refusal('expired');
    const errand = JSON.parse(opened) as KeptErrand;
    if (errand.untilMs <= clock.now()) return refusal('expired');
    const back = new URL(redirectUri);
    back.search = new URL(request.url, redirectUri).search;
    const person = await provider.complete(back, errand);
    const standings = findStandings(rules, person.claims);
    const { invitation } = errand;
    const joins = invitation === undefined ? undefined : await catalog.invitations.find(invitation);
    const personId = await admit(person, errand, { request, isClaimed: standings.length > 0 });
    if (typeof personId === 'string') return refusal(personId);
    if (rules.length > 0) {
      accepted(await catalog.memberships.follow(personId, standings));
    }
    await parts.beginForPerson(personId, request, reply);
    return joins?.accountId ? `/?account=${joins.accountId}` : '/';
  }

  /** The id of the person, or why it is nobody. */
  async function admit(
    { identity, name, email }: ProviderPerson,
    { invitation, signed }: KeptErrand,
    { request, isClaimed }: { readonly request: FastifyRequest; readonly isClaimed: boolean },
  ): Promise<number | string> {
    const known = await catalog.people.findByIdentity(identity);
    const language = readLanguage(request.headers);
    if (invitation !== undefined) {
      const who = known
        ? { personId: known.personId }
        : { name, email, language, passwordHash: undefined, identity };
      const joined = await catalog.invitations.accept(invitation, who);
      if (joined === undefined) return 'invitation';
      return joined.ok ? joined.value.personId : joined.reason.code.toLowerCase();
    }
    if (known) return known.personId;
    if (signed !== undefined) {
      // Not whoever sits down at the desk of somebody who is signed in.
      if (!(await parts.proofs.isFresh(signed))) return 'not_fresh';
      const bound = await catalog.people.bindIdentity(signed.personId, identity);
      return bound.ok ? signed.personId : 'identity_used';
    }
    if (!isClaimed) return 'unknown';
    // Never somebody there is, by the address alone.
    const isFree = email !== undefined && !(await catalog.people.findByEmail(email));
    const made = await catalog.people.create({ name, language, email: isFree ? email : undefined });
    const { personId } = accepted(made);
    accepted(await catalog.people.bindIdentity(personId, identity));
    return personId;
  }
}

function refusal(reason: string): string {
  return `/#sign-in-refused=${reason}`;
}

const start: Operation = {
  tag: 'Dashboard',
  headers: PageHeaders,
  operationId: 'startProvider',
  summary: 'Begin to sign in by the OIDC provider',
  description:
    'The browser goes to `url` next, and comes back signed in within ten minutes. With an ' +
    'invitation, the identity there becomes that of the person it makes; whoever signed in within ' +
    'the last ten minutes binds it to themselves.',
  body: { 'application/json': ProviderStart },
  bodyIsOptional: true,
  answers: {
    200: {
      description: 'Where to go.',
      headers: ['Set-Cookie'],
      content: { 'application/json': ProviderUrl },
    },
  },
  faults: [
    ...(['INVALID_PARAMETER', 'FORBIDDEN', 'NOT_FOUND', 'PAYLOAD_TOO_LARGE'] as const),
    ...(['UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMITED', 'UNAVAILABLE'] as const),
  ],
};
