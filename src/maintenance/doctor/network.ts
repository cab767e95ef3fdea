/** Where the service listens, and how people reach it. */
import { createServer } from 'node:net';
import { error, type Finding, ok, warning } from './doctor.ts';

const answerWithinMs = 5_000;

interface Listening {
  readonly host: string;
  readonly port: number;
  /** The URL of the service on its own machine. */
  readonly ownUrl: string;
}

/** Is the port free, the service's, or another program's? */
export async function lookAtPort({ host, port, ownUrl }: Listening): Promise<Finding[]> {
  const refusal = await tryToListen(host, port);
  const place = `port ${port} of ${host}`;
  if (refusal === undefined) return [ok(`No service is running; ${place} is free`)];
  if (refusal !== 'EADDRINUSE') {
    const remedy =
      refusal === 'EACCES'
        ? 'Set PORT to 1024 or more, and put a proxy before it'
        : 'Set HOST to an address of this machine';
    return [error(`The service cannot listen on ${place} (${refusal})`, remedy)];
  }
  const health = await ask(`${ownUrl}/readyz`);
  if (health === undefined || !('statistics' in health)) {
    const remedy = 'Stop that program, or set PORT to another port';
    return [error(`Another program uses ${place}`, remedy)];
  }
  const { status, catalog, statistics, collecting } = health;
  if (status === 'ok') return [ok(`The service is running on ${place}, and ready`)];
  const reasons = `catalog: ${catalog}; statistics: ${statistics}; beacons: ${collecting}`;
  return [error(`The service is running on ${place}, but not ready: ${reasons}`, 'See its log')];
}

/** As its metrics say; undefined if it does not run, or tells this machine nothing. */
export async function readOpenFiles(ownUrl: string): Promise<number | undefined> {
  const metrics = await read(`${ownUrl}/metrics`).catch(() => '');
  const numberOf = (name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1];
  const limit = numberOf('playmeter_process_max_fds');
  if (limit === undefined) return undefined;
  // The limits of workers come as their sum, and no limit as no number.
  const ofOne = Number(limit) / Number(numberOf('playmeter_workers') ?? 1);
  return Number.isNaN(ofOne) ? Number.POSITIVE_INFINITY : ofOne;
}

interface Reaching {
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly trustProxy: string;
  readonly countryHeader: string | undefined;
}

/** The settings that people get wrong most: what stands before the service, and what it sends. */
export async function lookAtProxy(reaching: Reaching): Promise<Finding[]> {
  const { host, publicUrl, trustProxy, countryHeader } = reaching;
  const isTrusting = trustProxy !== 'false';
  const findings: Finding[] = [];
  if (publicUrl === undefined && !isLoopback(host)) {
    const remedy = 'Set PUBLIC_URL to the URL that people and players use';
    findings.push(warning(`The service listens on ${host}, and PUBLIC_URL is not set`, remedy));
  }
  if (publicUrl !== undefined) findings.push(await lookAtPublicUrl(publicUrl));
  // The service itself does not speak TLS: something stands before it.
  if (publicUrl?.startsWith('https:') && !isTrusting) {
    findings.push(
      warning(
        'PUBLIC_URL is https, so a proxy is before the service, but TRUST_PROXY is false: all ' +
          'viewers seem to come from one address',
        'Set TRUST_PROXY as docs/proxy.md says',
      ),
    );
  }
  if (trustProxy === 'true') {
    findings.push(
      warning(
        'TRUST_PROXY is true: whoever sends X-Forwarded-For chooses the address they come from',
        'Set TRUST_PROXY to the number of your proxies, or to their networks',
      ),
    );
  }
  if (countryHeader !== undefined && !isTrusting) {
    findings.push(
      warning(
        `GEO_HEADER is ${countryHeader}, but TRUST_PROXY is false: the header is not believed`,
        'Set TRUST_PROXY as docs/proxy.md says',
      ),
    );
  }
  return findings;
}

async function lookAtPublicUrl(publicUrl: string): Promise<Finding> {
  const health = await ask(`${publicUrl.replace(/\/+$/, '')}/healthz`);
  if (health?.status === 'ok') return ok(`The service answers at ${publicUrl}`);
  return warning(
    `The service does not answer at ${publicUrl} (PUBLIC_URL), as seen from this machine`,
    'Check the proxy, its certificate and the name of the host; see docs/proxy.md',
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** The code of the system's error; undefined if the port is free. */
function tryToListen(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (failure: NodeJS.ErrnoException) => resolve(failure.code ?? 'unknown'));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}

/** Undefined if nothing answers with a JSON object. */
async function ask(url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const answer: unknown = JSON.parse(await read(url));
    const isObject = typeof answer === 'object' && answer !== null;
    return isObject ? (answer as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function read(url: string): Promise<string> {
  const signal = AbortSignal.timeout(answerWithinMs);
  return (await fetch(url, { signal })).text();
}
