/** What the people on call ask: is the process alive, do the stores answer, what do the numbers say. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Catalog } from '../catalog/catalog.ts';

interface HealthParts {
  readonly catalog: Pick<Catalog, 'ping'>;
  readonly facts: { ping(): Promise<void>; whyNotReady(): string | undefined };
  readonly metrics: Registry;
}

export function addHealthRoutes(app: FastifyInstance, parts: HealthParts): void {
  const { catalog, facts, metrics } = parts;
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    const [catalogFailure, factsFailure] = await Promise.all([
      failureOf(catalog.ping()),
      facts.whyNotReady() ?? failureOf(facts.ping()),
    ]);
    const ready = catalogFailure === undefined && factsFailure === undefined;
    reply.status(ready ? 200 : 503).header('cache-control', 'no-store');
    if (!ready) reply.header('retry-after', 1);
    return {
      status: ready ? 'ok' : 'unavailable',
      catalog: catalogFailure ?? 'ok',
      statistics: factsFailure ?? 'ok',
    };
  });

  app.get('/metrics', async (_request, reply) => {
    reply.type(metrics.contentType);
    return metrics.metrics();
  });
}

async function failureOf(ping: Promise<void>): Promise<string | undefined> {
  try {
    await ping;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
