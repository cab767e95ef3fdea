/** The OIDC provider of the configuration: code flow with PKCE, by its discovery document. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { PersonIdentity } from '../../../catalog/catalog.ts';

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  readonly scopes: string;
  /** To which the provider sends people back. */
  readonly redirectUri: string;
}

/** What is kept of a sign-in between going to the provider and coming back. */
export interface Errand {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Whom the provider vouches for. */
export interface ProviderPerson {
  readonly identity: PersonIdentity;
  readonly name: string;
  /** Only if the provider says that it was verified. */
  readonly email: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface Provider {
  begin(): Promise<{ readonly url: string; readonly errand: Errand }>;
  /** Rejects where what came back is not an answer to the errand. */
  complete(url: URL, errand: Errand): Promise<ProviderPerson>;
}

const longestName = 200;

export function createProvider(settings: ProviderSettings): Provider {
  const { issuer, clientId, clientSecret, scopes, redirectUri } = settings;
  let discovered: Promise<Configuration> | undefined;

  /** Once, and again after it failed: the provider may have been down. */
  function discover(): Promise<Configuration> {
    const server = new URL(issuer);
    // The configuration allows this on the own machine alone.
    const options = server.protocol === 'http:' ? { execute: [allowInsecureRequests] } : {};
    const asked = discovered ?? discovery(server, clientId, clientSecret, undefined, options);
    discovered = asked;
    asked.catch(() => {
      discovered = undefined;
    });
    return asked;
  }

  return {
    async begin() {
      const configuration = await discover();
      const verifier = randomPKCECodeVerifier();
      const errand = { state: randomState(), nonce: randomNonce(), verifier };
      const url = buildAuthorizationUrl(configuration, {
        ...{ redirect_uri: redirectUri, scope: scopes, response_type: 'code' },
        ...{ state: errand.state, nonce: errand.nonce },
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, errand };
    },

    async complete(url, { state, nonce, verifier }) {
      const configuration = await discover();
      const tokens = await authorizationCodeGrant(configuration, url, {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce },
        idTokenExpected: true,
      });
      const told = tokens.claims();
      if (told === undefined) throw new Error('The provider sent no ID token');
      const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasMore ? await fetchUserInfo(configuration, tokens.access_token, told.sub) : {};
      return toPerson({ ...more, ...told });
    },
  };
}

function toPerson(claims: Readonly<Record<string, unknown>>): ProviderPerson {
  const textOf = (name: string) => {
    const value = claims[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const email = claims.email_verified === true ? textOf('email') : undefined;
  const subject = String(claims.sub);
  const name = textOf('name') ?? textOf('preferred_username') ?? email ?? subject;
  return {
    identity: { issuer: String(claims.iss), subject, email },
    name: name.replaceAll(/\p{Cc}/gu, ' ').slice(0, longestName),
    ...{ email, claims },
  };
}
