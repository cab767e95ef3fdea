import { request as open } from 'node:http';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { refuseRepeatedHeaders, repeatedHeader } from './repeated-headers.ts';

/** As Node reads them: names in lower case, and each once. */
function repeatedIn(...names: string[]): string | undefined {
  const headers = Object.fromEntries(names.map((name) => [name.toLowerCase(), '1']));
  return repeatedHeader({ headers, rawHeaders: names.flatMap((name) => [name, '1']) });
}

test.each([
  ...['Host', 'Authorization', 'X-API-Key', 'Idempotency-Key', 'Content-Type'],
  ...['Origin', 'Referer'],
])('%s may come once, in whatever case', (name) => {
  const lowered = name.toLowerCase();
  expect(repeatedIn('Accept', name, 'Cookie')).toBeUndefined();
  expect(repeatedIn('Accept', name, 'Cookie', lowered)).toBe(lowered);
});

test('of other headers several may come, beside those that come once', () => {
  expect(repeatedIn()).toBeUndefined();
  expect(repeatedIn('Host', 'Accept', 'Accept', 'Origin')).toBeUndefined();
  expect(repeatedIn('Accept', 'Accept', 'Host', 'Host')).toBe('host');
});

test('a request with such a header is refused, and says which', async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  refuseRepeatedHeaders(app);
  app.setErrorHandler((error: Error, _, reply) => reply.send(error.message));
  app.get('/', async () => 'answered');
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const ask = (headers: Record<string, string[]>) =>
    new Promise<string>((resolve, reject) => {
      const asked = open(address, { headers, agent: false }, async (response) => {
        resolve((await response.toArray()).join(''));
      });
      asked.on('error', reject).end();
    });
  expect(await ask({ accept: ['a', 'b'] })).toBe('answered');
  expect(await ask({ 'x-api-key': ['a', 'b'] })).toBe('Send the header x-api-key only once');
});
