/** Alerts and reports at the dashboard, to a real mail server and a real webhook. */
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from '../support/browser.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { expectAccessible, visitDashboard } from './dashboard.ts';
import { expectRoom } from './page-layout.ts';
import { useDashboard } from './use-dashboard.ts';

const path = '/settings/alerts';
const withoutMail = useDashboard();
let service: TestService;
let account: TestAccount;
let receiver: WebhookReceiver;
const mails: string[] = [];
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _, done) {
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (some: string) => {
      text += some;
    });
    stream.on('end', () => {
      mails.push(text);
      done();
    });
  },
});

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const { port } = await new Promise<{ port: number }>((resolve) => {
    const server = mailServer.listen(0, '127.0.0.1', () =>
      resolve(server.address() as { port: number }),
    );
  });
  service = await startTestService({
    environment: {
      WEBHOOK_NETWORKS: 'loopback',
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Playmeter <stats@example.com>',
    },
  });
  account = await service.addAccount();
});
afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});

async function open(locale = 'en-US') {
  const { browser } = withoutMail();
  const visit = await visitDashboard(browser, service, account.key, { locale });
  await visit.page.goto(path);
  await visit.page.locator('.panel').last().waitFor();
  return visit;
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('an alert is made, tested at its webhook, changed, paused and deleted', async () => {
  const { page, complaints } = await open();
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Nobody watches');
  await dialog.getByLabel('Measure').selectOption('playMs');
  await dialog.getByLabel('Limit, in minutes').fill('90');
  await dialog.getByRole('button', { name: 'Add filter' }).click();
  const filter = page.getByRole('dialog', { name: 'Add filter' });
  await filter.getByLabel('Filter by').selectOption('os');
  await filter.getByLabel('Search the values').fill('iOS');
  await filter.getByRole('button', { name: 'Add “iOS”' }).click();
  await expectAccessible(page, 'a filter of an alert');
  await filter.getByRole('button', { name: 'Apply' }).click();
  await filter.waitFor({ state: 'detached' });
  await dialog.getByLabel('Webhook URL').fill('https://user@hooks.example.com/');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('Correct the marked fields').waitFor();
  const url = dialog.getByLabel('Webhook URL');
  expect(await url.getAttribute('aria-invalid')).toBe('true');
  expect(await url.getAttribute('aria-describedby')).toMatch(/wrong/);
  await expect.poll(() => url.evaluate((one) => one === document.activeElement)).toBe(true);
  await expectAccessible(page, 'a wrong field');
  await url.fill(receiver.url);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Secret of the webhook' }).waitFor();
  expect(await dialog.locator('code').textContent()).toMatch(/^whsec_/);
  await page.keyboard.press('Escape');
  const row = part(page, 'Alerts').getByRole('row', { name: 'Nobody watches' });
  await row.getByText('Playback time of a day above 1h 30m').waitFor();
  await row.getByText('Systems: iOS').waitFor();

  await row.getByRole('button', { name: 'Send one now' }).click();
  await part(page, 'Messages').getByText('Delivered').waitFor();
  const bodies = receiver.received.map(({ body }) => JSON.parse(body));
  expect(bodies).toMatchObject([
    {
      type: 'alert.test',
      data: { name: 'Nobody watches', terms: { above: 5_400_000, filters: 'os==iOS' } },
    },
  ]);

  await row.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('button', { name: 'Systems: iOS', exact: true }).waitFor();
  await dialog.getByLabel('Kind').selectOption('silence');
  await dialog.getByLabel('For how many minutes').fill('45');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Nothing plays for 45 minutes').waitFor();
  await row.getByRole('button', { name: 'Pause' }).click();
  await row.getByText('Paused').waitFor();
  await row.getByRole('button', { name: 'Resume' }).click();
  await row.getByText('Not firing').waitFor();
  receiver.statuses.push(410);
  await part(page, 'Messages').getByRole('button', { name: 'Send again' }).click();
  await part(page, 'Messages').getByText('Given up').waitFor();
  await part(page, 'Messages').getByText('status 410').waitFor();
  await row.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await part(page, 'Alerts').getByText('There are no alerts.').waitFor();
  await part(page, 'Messages').getByText('Deleted').waitFor();
  // The browser notes that the service refused the URL.
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
});

test.each([
  ['startupP95', 'Limit, in seconds', '2.5', 2_500, 'Slow start (p95) of a day above 2.5s'],
  ['failureShare', 'Limit, in percent', '1.5', 0.015, 'Ended in an error of a day above 1.5%'],
  ['stallsPerHour', 'Limit, in times an hour', '3', 3, 'Stalls an hour of a day above 3/h'],
  ['bitrate', 'Limit, in kbit/s', '1500', 1_500, 'Bitrate of a day above 1,500 kbit/s'],
])(
  'a limit of %s is asked for and said in its unit',
  async (measure, label, typed, above, said) => {
    const { page } = await open();
    await page.getByRole('button', { name: 'New alert' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(measure);
    await dialog.getByLabel('Measure').selectOption(measure);
    await dialog.getByLabel(label).fill(typed);
    await dialog.getByLabel('Webhook URL').fill(receiver.url);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Secret of the webhook' }).waitFor();
    await page.keyboard.press('Escape');
    await part(page, 'Alerts').getByRole('row', { name: measure }).getByText(said).waitFor();
    const { body } = await service.manage(account.key, 'GET', '/alerts');
    expect(body.list).toContainEqual(expect.objectContaining({ name: measure, measure, above }));
  },
);

test('a report is made and sent by mail at once; the page is for everybody', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: 'New report' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Last week');
  await dialog.getByLabel('Average time').check();
  await dialog.getByLabel('Mail to').fill('editor@example.com, chief@example.com');
  await expectAccessible(page, 'the form of a report', ['light', 'dark']);
  await expectRoom(page, 'the form of a report');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const row = part(page, 'Reports').getByRole('row', { name: 'Last week' });
  await row.getByText('Every week: Plays, Playback time, Viewers, Average time').waitFor();
  await row.getByRole('button', { name: 'Send one now' }).click();
  await expect.poll(() => mails.length, { message: 'mails' }).toBe(2);
  expect(mails[0]).toContain('Subject: Last week: ');
  expect(mails[0]).toContain('Content-Type: text/html');
  await expect.poll(() => part(page, 'Messages').getByText('Delivered').count()).toBe(2);
  await expectAccessible(page, 'alerts and reports', ['light', 'dark']);
  await expectRoom(page, 'alerts and reports');
  const korean = await open('ko-KR');
  await expectRoom(korean.page, 'alerts and reports, in Korean');
});

test('a service without SMTP_URL says what to set, and asks for no mail addresses', async () => {
  const page = await withoutMail().open(path);
  await page.locator('.note').getByText('set SMTP_URL and MAIL_FROM').waitFor();
  await page.getByRole('button', { name: 'New alert' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('set SMTP_URL').waitFor();
  expect(await dialog.getByLabel('Mail to').count()).toBe(0);
  await dialog.getByLabel('Name').fill('A');
  await dialog.getByLabel('Limit').fill('1');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByText('must be given, or else mailTo').waitFor();
});
