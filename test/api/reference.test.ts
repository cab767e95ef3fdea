/** The reference page in a real browser, under the policy that the server sends with it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInterface, listRoutes } from '../../src/api/app.ts';
import { type Browser, startBrowser } from '../support/browser.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

let service: TestService;
let account: TestAccount;
let browser: Browser;

beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

async function openReference() {
  const page = await browser.newPage();
  const complaints: string[] = [];
  const asked = new Set<string>();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  await page.goto(service.url);
  return { page, complaints, asked };
}

test('shows every operation, from this server alone and within its policy', async () => {
  const { page, complaints, asked } = await openReference();
  expect(new URL(page.url()).pathname).toBe('/docs');
  const { paths } = await describeInterface();
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const shown = await page.locator('section.operation').all();
  expect(await Promise.all(shown.map((section) => section.getAttribute('id')))).toEqual(
    expect.arrayContaining(ids),
  );
  expect(shown).toHaveLength(ids.length);
  const command = await page.locator('#statisticsByDate .curl code').textContent();
  expect(command).toContain(`${service.url}/report/statistics/video/v1/info/date?sdate=`);
  expect(complaints).toEqual([]);
  expect([...asked]).toEqual([service.url]);
});

test('tries an operation with the key of the reader', async () => {
  const { page } = await openReference();
  const form = page.locator('#statisticsByDate form.try');
  await form.locator('button').click();
  await form.locator('output', { hasText: '401' }).waitFor();
  await page.locator('#key').fill(account.key);
  await form.locator('button').click();
  await form.locator('output', { hasText: '"isSuccess": true' }).waitFor();
  await form.locator('input').fill('//example.com/');
  await form.locator('button').click();
  await form.locator('output', { hasText: 'Only addresses of this server' }).waitFor();
});

test('what is not described is for people and their browsers', async () => {
  const { others } = await listRoutes();
  const pages = /^\/$|^\/(docs|watch|watch-assets|content)(\/|$)|^\/tracker\.m?js$/;
  expect([...others].filter((path) => !pages.test(path))).toEqual([]);
});

test('the document is served as it is committed', async () => {
  const response = await service.request('/openapi.json');
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(await describeInterface())));
});
