/**
 * Bad input of every kind to every operation of the document: never a 5xx, a hang, or a word about
 * the inside.
 */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInterface } from '../../src/http/app.ts';
import {
  type AnyAnswer,
  type AnyRequest,
  anyRequest,
  complaintAbout,
} from '../support/any-request.ts';
import { howToRepeat } from '../support/how-to-repeat.ts';
import { readSeed } from '../support/seed.ts';
import { startTestService, type TestService } from '../support/service.ts';

const atOnce = 24;
const answerWithinMs = 15_000;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startTestService();
  key = (await service.addAccount('Asia/Seoul')).key;
});
afterAll(() => service.stop());

test('no bad input causes a 5xx, a hang or a leak', () => sendBadInput(750));

test('nor do thirty-two times as many', { tags: 'long' }, () => sendBadInput(24_000));

async function sendBadInput(requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const seed = readSeed(process.env.SEED);
  const shots = fc.sample(anyRequest(await describeInterface()), { numRuns: requests, seed });
  const bad: string[] = [];
  const seen = new Map<number, number>();
  let next = 0;
  const shooter = async (): Promise<void> => {
    while (next < shots.length) {
      const shot = shots[next] as AnyRequest;
      next += 1;
      const hit = await shoot(shot, agent).catch((error) => ({
        status: 0,
        type: '',
        text: `${error}`,
      }));
      seen.set(hit.status, (seen.get(hit.status) ?? 0) + 1);
      const complaint = complaintAbout(hit);
      if (complaint)
        bad.push(`${complaint} ${JSON.stringify(shot).slice(0, 600)} ${hit.text.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, shooter));
  agent.destroy();
  expect(bad.slice(0, 10), howToRepeat(seed)).toEqual([]);
  // It would show nothing if all were refused at the door, or none.
  for (const status of [200, 400, 401]) {
    expect(seen.get(status), `${status}. ${howToRepeat(seed)}`).toBeGreaterThan(requests / 60);
  }
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
}

function shoot({ method, path, headers, body }: AnyRequest, agent: Agent): Promise<AnyAnswer> {
  return new Promise((resolve, reject) => {
    const real = { ...headers, ...(headers['x-api-key'] === 'KEY' ? { 'x-api-key': key } : {}) };
    const sent = httpRequest(
      service.url,
      { method, path, headers: real, agent, timeout: answerWithinMs },
      (response: IncomingMessage) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    sent.on('error', reject);
    sent.end(body);
  });
}
