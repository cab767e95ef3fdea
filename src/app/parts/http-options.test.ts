import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { connectionLimits, createHttpOptions } from './http-options.ts';

function limitsOf(environment: Record<string, string>, files: number) {
  const warnings: unknown[] = [];
  const logger = { warn: (fields: unknown) => warnings.push(fields) };
  return [connectionLimits(readConfig(environment), files, logger), warnings] as const;
}

test.each([
  [{}, 20_000, 15_000, 3_750],
  [{}, 1_024, 768, 192],
  [{}, 1_048_576, 16_384, 4_096],
  [{}, Number.POSITIVE_INFINITY, 16_384, 4_096],
  [{}, 1, 1, 1],
  [{ MAX_CONNECTIONS: '100' }, 20_000, 100, 25],
  [{ MAX_CONNECTIONS: '15000' }, 20_000, 15_000, 3_750],
  [{ MAX_CONNECTIONS: '30000' }, 1_048_576, 30_000, 7_500],
  [{ MAX_CONNECTIONS_PER_ADDRESS: '7' }, 20_000, 15_000, 7],
])('%o of %d files: %d connections, %d of an address', (environment, files, inAll, ofAddress) => {
  expect(limitsOf(environment, files)).toEqual([{ inAll, ofAddress }, []]);
});

test('more connections than files are not allowed, and the log says so', () => {
  const [limits, warnings] = limitsOf({ MAX_CONNECTIONS: '15001' }, 20_000);
  expect(limits).toEqual({ inAll: 15_000, ofAddress: 3_750 });
  expect(warnings).toEqual([{ files: 20_000, connections: 15_000 }]);
});

test('the limit of this process is known', () => {
  const { connectionLimits: limits } = createHttpOptions(readConfig({}), { warn: () => {} });
  expect(limits.inAll).toBeGreaterThan(limits.ofAddress);
  expect(limits.inAll).toBeLessThanOrEqual(16_384);
});

test.each([
  ['true', 1],
  ['1', 0],
  ['private', 0],
  ['false', 0],
])('a start with TRUST_PROXY=%s warns %d times', (setting, times) => {
  const warnings: string[] = [];
  const logger = { warn: (text: unknown) => warnings.push(String(text)) };
  createHttpOptions(readConfig({ TRUST_PROXY: setting }), logger);
  expect(warnings).toHaveLength(times);
  expect(warnings.join()).toContain(times === 0 ? '' : 'TRUST_PROXY=true believes');
});
