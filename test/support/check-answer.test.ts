/** The check itself: what is not as the document says does not pass. */
import { expect, test } from 'vitest';
import { checkAnswer } from './check-answer.ts';

const byDate = '/report/statistics/video/v1/info/date';
const list = [{ duration: '1', videoCount: '1', date: '2026-11-20' }];
const data = { requestId: crypto.randomUUID(), pageSize: '30', nextToken: '' };
const good = { isSuccess: true, message: '', data: { list, ...data } };
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'as-of': '2026-11-20T10:15:32.480Z',
  'complete-through': '2026-11-20T10:15:32.480Z',
  'ratelimit-policy': '"key";q=600;w=60',
  ratelimit: '"key";r=599;t=60',
};
const problem = {
  ...{ type: 'about:blank', title: 'Not found', status: 404, detail: 'No', message: 'No' },
  ...{ code: 'NOT_FOUND', isSuccess: false },
};
const problemHeaders = { 'content-type': 'application/problem+json' };

function answer(url: string, body: unknown, init: ResponseInit): Response {
  const response = new Response(JSON.stringify(body), init);
  // As fetch sets it.
  return Object.defineProperty(response, 'url', { value: `http://127.0.0.1${url}` });
}

test('an answer as documented passes, and can still be read', async () => {
  const response = await checkAnswer('GET', answer(`${byDate}?a=b`, good, { headers }));
  expect(await response.json()).toEqual(good);
  const missing = answer('/nothing', problem, { status: 404, headers: problemHeaders });
  await checkAnswer('GET', missing);
});

const row = { ...good, data: { ...data, list: [{ ...list[0], videoCount: 1 }] } };
const extra = { ...good, more: 1 };
const { ratelimit: _, ...unlimited } = headers;
const late = { ...headers, 'as-of': 'yesterday' };
const text = { ...headers, 'content-type': 'text/html' };
const wrongCode = { ...problem, code: 'CONFLICT' };

test.each([
  ['a number that should be text', byDate, row, { headers }, 'videoCount must be string'],
  ['a member too many', byDate, extra, { headers }, 'must NOT have additional properties'],
  ['a header too few', byDate, good, { headers: unlimited }, 'lacks the header RateLimit'],
  ['a header that does not fit', byDate, good, { headers: late }, 'header As-Of'],
  ['another content type', byDate, good, { headers: text }, 'content type text/html'],
  ['an undocumented status', byDate, good, { headers, status: 201 }, 'no such answer'],
  ['an undocumented path', '/new', good, { headers }, 'no such answer'],
  [
    'a code of another status',
    '/nothing',
    wrongCode,
    { status: 404, headers: problemHeaders },
    'body/code',
  ],
])('%s does not pass', async (_what, url, body, init, complaint) => {
  await expect(checkAnswer('GET', answer(url, body, init))).rejects.toThrow(complaint);
});
