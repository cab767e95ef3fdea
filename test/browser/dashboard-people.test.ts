/** People at the dashboard: how they come in, what each sees, and what they change of themselves. */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Browser, Page } from '../support/browser.ts';
import { startBrowser } from '../support/browser.ts';
import { startMailServer, type TestMailServer } from '../support/mail-server.ts';
import { addPerson } from '../support/people.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import {
  type DashboardVisit,
  expectAccessible,
  inBothLanguages,
  visitDashboard,
} from './dashboard.ts';
import { expectRoom, extremeScreens } from './page-layout.ts';

const good = 'seven purple lanterns';
const kim = { email: 'kim@example.com', name: 'Minji Kim' };
const lee = { email: 'lee@example.com', name: 'Jun Lee' };

let browser: Browser;
let mails: TestMailServer;
let service: TestService;
let account: TestAccount;
let course = { packageId: 0, accessKey: '' };
let other = { packageId: 0, accessKey: '' };

beforeAll(async () => {
  [browser, mails] = await Promise.all([startBrowser(), startMailServer()]);
  service = await startTestService({
    environment: {
      ...{ SMTP_URL: mails.url, MAIL_FROM: 'Playmeter <p@media.example>' },
      PUBLIC_URL: 'https://media.example',
    },
  });
  account = await service.addAccount();
  [course, other] = [
    await addCourse('Course A', 'Lesson A'),
    await addCourse('Course B', 'Lesson B'),
  ];
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await mails.stop();
});

async function addCourse(packageName: string, title: string) {
  const { accountId } = account;
  const fields = { packageName, packageType: 'VOD' as const };
  const { packageId } = accepted(await service.catalog.packages.create(accountId, fields));
  const accessKey = await account.addVideo(60_000);
  accepted(await service.catalog.videos.change(accountId, accessKey, { title }));
  await account.publish(packageId, accessKey);
  return { packageId, accessKey };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** Others, as of a sign-in, may come before. */
async function mailWith(text: string) {
  for (;;) {
    const mail = await mails.next();
    if (mail.text.includes(text)) return mail;
  }
}

/** The link in the text of a mail, at this service. */
function linkIn(text: string): string {
  return /https:\/\/media\.example(\/\S+)/.exec(text)?.[1] ?? '';
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  // The page that is left may have a field of nearly the same name.
  await page.getByRole('textbox', { name: 'Email address', exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function visitAs(
  { token }: { readonly token: string },
  locale = 'en-US',
): Promise<DashboardVisit> {
  const visit = await visitDashboard(browser, service, undefined, { locale });
  await visit.context.addCookies([{ name: 'playmeter', value: token, url: service.url }]);
  return visit;
}

test('the link of the first start makes the first person, who sees the whole account', async () => {
  const token = await service.catalog.invitations.createFirst();
  const { page, complaints } = await visitDashboard(browser, service);
  await page.goto(`/#invitation=${token}`);
  await heading(page, 'Welcome to Playmeter').waitFor();
  expect(page.url()).toBe(`${service.url}/`);
  await expectAccessible(page, 'the first person', ['dark', 'light']);
  await expectRoom(page, 'the first person', extremeScreens);

  await page.getByLabel('Name').fill(kim.name);
  await page.getByLabel('Email address').fill(kim.email);
  await page.getByLabel('Password').fill('password12');
  await page.keyboard.press('Enter');
  const field = page.getByLabel('Password');
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
  await field.fill(good);
  await page.keyboard.press('Enter');
  await heading(page, 'Overview').waitFor();
  expect(page.url()).toBe(`${service.url}/?account=${account.accountId}`);
  await page.getByRole('link', { name: kim.name }).waitFor();
  // That of the password that was refused.
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);

  const { page: late } = await visitDashboard(browser, service);
  await late.goto(`/#invitation=${token}`);
  await late.getByRole('alert').filter({ hasText: 'no longer valid' }).waitFor();
});

test('somebody who is invited to one course joins by the link and sees that course alone', async () => {
  const { page: own } = await visitDashboard(browser, service);
  await own.goto('/settings/people');
  await signIn(own, kim.email, good);
  await own.getByRole('button', { name: 'Invite' }).click();
  const dialog = own.getByRole('dialog');
  await dialog.getByLabel('Email address').fill(lee.email);
  await dialog.getByLabel('Only certain packages').check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'at least one package' }).waitFor();
  await expectAccessible(own, 'inviting', ['dark', 'light']);
  await dialog.getByLabel('Course A').check();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByText('The link is sent by mail').waitFor();
  const shown = await dialog.locator('code').textContent();
  const link = linkIn((await mails.next()).text);
  expect(shown).toBe(service.url + link);
  await own.keyboard.press('Escape');
  const invited = own.getByRole('region', { name: 'Open invitations' });
  await invited.getByRole('row', { name: lee.email }).getByText('Course A').waitFor();

  const { page } = await visitDashboard(browser, service);
  await page.goto(link);
  await heading(page, 'Join Test').waitFor();
  await page.getByText(`${kim.name} invites you.`).waitFor();
  await page.getByText('those that were chosen for you').waitFor();
  await page.getByLabel('Name').fill(lee.name);
  await page.getByLabel('Password').fill(good);
  await page.getByRole('button', { name: 'Join' }).click();
  await heading(page, 'Overview').waitFor();
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('link', { name: 'Lesson A' }).waitFor();
  expect(await page.getByText('Lesson B').count()).toBe(0);
  await page.goto(`/videos/${other.accessKey}`);
  await page.getByText('The library has no such video').waitFor();

  await own.reload();
  const member = own.getByRole('row', { name: lee.name });
  await member.getByText('Course A').waitFor();
  const seen = own.getByRole('columnheader', { name: 'Last seen' });
  const column = await seen.evaluate((cell) => (cell as HTMLTableCellElement).cellIndex);
  expect(await member.locator('td, th').nth(column).textContent()).toMatch(/\d:\d\d/);
  await member.getByRole('button', { name: 'Remove' }).click();
  await own.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await member.waitFor({ state: 'detached' });
  await page.reload();
  await heading(page, 'Sign in').waitFor();
});

const allGroups = ['Account', 'People', 'Collecting', 'Data quality'];
const standings = [
  ['an owner', 'owner', false, ['General', 'API keys', 'Members', 'Packages', 'Ledger']],
  ['a manager', 'manager', false, ['General', 'Packages', 'Ledger']],
  ['an analyst', 'analyst', false, []],
  ['an analyst of one course', 'analyst', true, []],
] as const;

for (const [who, role, isNarrow, parts] of standings) {
  const tags = role === 'manager' || isNarrow ? [] : ['long' as const];
  test(`${who} is shown nothing that is refused`, { tags }, async () => {
    const packageIds = isNarrow ? [course.packageId] : undefined;
    const person = await addPerson(service.catalog, { ...account, role, packageIds });
    const { page, quiet } = await visitAs(person);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    await page.goto('/settings');
    const nav = page.getByRole('navigation', { name: 'Settings' });
    await nav.waitFor();
    const note = page.getByText('You see certain packages only');
    expect(await note.count()).toBe(isNarrow ? 1 : 0);
    const shown = await nav.getByRole('link').allTextContents();
    const known = ['General', 'API keys', 'Members', 'Packages', 'Ledger'];
    expect(shown.filter((name) => known.includes(name))).toEqual(parts);
    expect(shown).toEqual(expect.arrayContaining(['Shares', 'Alerts and reports', 'Audit']));
    const groups = await nav.locator('.group').allTextContents();
    const ofManager = allGroups.filter((name) => name !== 'People');
    const own = { owner: allGroups, manager: ofManager, analyst: ['Account'] };
    expect(groups).toEqual(own[role]);
    const paths = await nav
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const others = ['/', '/now', '/quality', '/library', `/videos/${course.accessKey}`, '/me'];
    for (const path of [...others, ...paths]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await quiet();
      expect(await page.locator('.note.bad').count(), path).toBe(0);
    }
    expect(await page.getByRole('link', { name: 'Service' }).count()).toBe(0);
    await page.goto('/library');
    await page.getByRole('link', { name: 'Lesson A' }).waitFor();
    const mayChange = role !== 'analyst';
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(mayChange ? 2 : 0);
    expect(await page.getByRole('button', { name: 'New folder' }).count()).toBe(mayChange ? 1 : 0);
    expect(refused).toEqual([]);
  });
}

test('an analyst has a report of their own, by mail, and finds it in the audit', async () => {
  const person = await addPerson(service.catalog, { ...account, role: 'analyst' });
  const { page } = await visitAs(person);
  await page.goto('/settings/alerts');
  await page.getByRole('button', { name: 'New report' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Every Monday');
  const receiver = dialog.getByLabel('Mail to');
  expect(await receiver.inputValue(), 'proposed').toMatch(/^person\d+@example\.com$/);
  await receiver.fill('team@example.com');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('row', { name: 'Every Monday' }).waitFor();
  await page.getByRole('link', { name: 'Audit' }).click();
  const rows = page.getByRole('region', { name: 'Audit' }).locator('tbody tr');
  await rows.filter({ hasText: 'Report created' }).waitFor();
  const who = await rows.locator('td:nth-child(2)').allTextContents();
  expect(new Set(who.map((text) => text.split(',')[0])).size).toBe(1);
});

test('a forgotten password: the answer is the same for everybody, the link goes to the person', async () => {
  const { page } = await visitDashboard(browser, service);
  await page.goto('/');
  const said: (string | null)[] = [];
  for (const email of ['nobody@example.com', kim.email]) {
    await page.getByRole('button', { name: 'Forgotten your password?' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    said.push(await page.getByRole('status').textContent());
    await page.getByRole('button', { name: 'Back to signing in' }).click();
  }
  expect(said[0]).toContain('If somebody here has this address');
  expect(said[1]).toBe(said[0]);
  const mail = await mails.next();
  expect(mail.to).toBe(kim.email);
  await page.goto(linkIn(mail.text));
  await heading(page, 'Set a new password').waitFor();
  expect(page.url()).toBe(`${service.url}/`);
  await page.getByLabel('New password').fill(`${good} again`);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await heading(page, 'Overview').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, kim.email, good);
  await page.getByRole('alert').filter({ hasText: 'address or the password is wrong' }).waitFor();
  await signIn(page, kim.email, `${good} again`);
  await heading(page, 'Overview').waitFor();
});

test('another address is entered with the password, and used once its link is opened', async () => {
  const { page } = await visitDashboard(browser, service);
  await page.goto('/me');
  await signIn(page, kim.email, `${good} again`);
  const part = page.getByRole('form', { name: 'Email address' });
  const moved = 'minji.kim@example.com';
  await part.getByLabel('New email address').fill(moved);
  await part.getByLabel('Current password').fill('not the password');
  await page.keyboard.press('Enter');
  await part.getByRole('alert').filter({ hasText: 'password or the code is wrong' }).waitFor();
  await part.getByLabel('Current password').fill(`${good} again`);
  await page.keyboard.press('Enter');
  await part.getByRole('status').filter({ hasText: 'A link is on its way' }).waitFor();
  const mail = await mailWith('#email=');
  expect(mail.to).toBe(moved);

  const { page: opened } = await visitDashboard(browser, service);
  await opened.goto(linkIn(mail.text));
  await heading(opened, 'New email address').waitFor();
  expect(opened.url()).toBe(`${service.url}/`);
  await expectAccessible(opened, 'confirming an address', ['dark', 'light']);
  await expectRoom(opened, 'confirming an address', extremeScreens);
  await opened.getByRole('button', { name: 'Use this address' }).press('Enter');
  await opened.getByText('It is your address from now on').waitFor();
  expect((await mailWith(`is now ${moved}`)).to).toBe(kim.email);
  kim.email = moved;
  await opened.getByRole('button', { name: 'Continue' }).click();
  await signIn(opened, kim.email, `${good} again`);
  await heading(opened, 'Overview').waitFor();
});

test('a second factor is set up with an app, and its code asked for from then on', async () => {
  const { page } = await visitDashboard(browser, service);
  await page.goto('/me');
  await signIn(page, kim.email, `${good} again`);
  const part = page.getByRole('region', { name: 'Second factor' });
  await part.getByRole('button', { name: 'Set it up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password').fill('not the password');
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'is wrong' }).waitFor();
  await dialog.getByLabel('Password').fill(`${good} again`);
  await dialog.getByRole('button', { name: 'Next' }).click();
  await dialog.getByRole('img', { name: 'QR code' }).waitFor();
  await expectAccessible(page, 'a second factor', ['dark', 'light']);
  const secret = (await dialog.locator('code').textContent()) ?? '';
  await dialog.getByLabel('Code of the app').fill(codeOf(secret));
  await dialog.getByRole('button', { name: 'Turn it on' }).click();
  await dialog.getByRole('listitem').nth(9).waitFor();
  const codes = await dialog.getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await part.getByText('Recovery codes left: 10').waitFor();

  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, kim.email, `${good} again`);
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'or the code is wrong' }).waitFor();
  await page.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Second factor' }).waitFor();
  await part.getByText('Recovery codes left: 9').waitFor();

  await part.getByRole('button', { name: 'Turn it off' }).click();
  await dialog.getByLabel('Password').fill(`${good} again`);
  await dialog.getByLabel('Code').fill(codes[1] ?? '');
  await dialog.getByRole('button', { name: 'Turn it off' }).click();
  await part.getByText('It is off').waitFor();
});

function codeOf(secret: string): string {
  return new TOTP({ secret }).generate();
}

test('a person ends a session elsewhere, and that browser is signed out', async () => {
  const { page } = await visitDashboard(browser, service);
  await page.goto('/me');
  await signIn(page, kim.email, `${good} again`);
  await heading(page, kim.name).waitFor();
  const { page: elsewhere } = await visitDashboard(browser, service);
  await elsewhere.goto('/now');
  await signIn(elsewhere, kim.email, `${good} again`);
  await heading(elsewhere, 'Now').waitFor();
  await page.reload();
  const sessions = page.getByRole('region', { name: 'Sessions' });
  const rows = sessions.locator('tbody tr');
  await rows.filter({ hasText: 'this one' }).filter({ hasText: 'Chrome' }).waitFor();
  await sessions.getByRole('button', { name: 'End all others' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await elsewhere.getByRole('dialog', { name: 'Sign in again' }).waitFor();
});

test('a person with two accounts switches, and a link opens the one that it is of', async () => {
  const { catalog } = service;
  const person = await addPerson(catalog, { ...account, role: 'manager' });
  const { accountId } = accepted(
    await catalog.accounts.create({ name: 'Second', timeZone: 'UTC' }),
  );
  const { personId } = person;
  const member = { accountId, personId, role: 'analyst' as const, packageIds: undefined };
  accepted(await catalog.memberships.put(member));
  const { page } = await visitAs(person);
  await page.goto('/library');
  await page.getByRole('link', { name: 'Lesson A' }).waitFor();
  await page.getByRole('button', { name: 'Switch account' }).press('Enter');
  await page.getByRole('dialog').getByRole('link', { name: 'Second' }).press('Enter');
  await page.waitForURL(`${service.url}/?account=${accountId}`);
  await page.getByRole('link', { name: 'Library' }).click();
  await page.getByText('There is no video here yet.').waitFor();
  expect(page.url()).toBe(`${service.url}/library?account=${accountId}`);

  const foreign = await service.addAccount();
  await page.goto(`/library?account=${foreign.accountId}`);
  await heading(page, 'There is no such account').waitFor();
  await expectAccessible(page, 'no account');
  await page.getByRole('link', { name: 'Open your own account' }).click();
  await heading(page, 'Overview').waitFor();
});

test('whoever is removed from the account that they look at is told, and has their other', async () => {
  const { catalog } = service;
  const person = await addPerson(catalog, { ...account, role: 'manager' });
  const second = await service.addAccount();
  const { accountId } = second;
  const { personId } = person;
  await addPerson(catalog, { ...second, role: 'owner' });
  const member = { accountId, personId, role: 'analyst' as const, packageIds: undefined };
  accepted(await catalog.memberships.put(member));
  const { page } = await visitAs(person);
  await page.goto(`/?account=${accountId}`);
  await heading(page, 'Overview').waitFor();
  accepted(await catalog.memberships.remove(member));
  // The overview waits for a first play, asks again, and is refused.
  await heading(page, 'There is no such account').waitFor();
  await page.getByRole('link', { name: 'Open your own account' }).click();
  await page.waitForURL(`${service.url}/?account=${account.accountId}`);
  await heading(page, 'Overview').waitFor();
});

test('an operator in no account makes one, closes it by its name, and opens it again', async () => {
  const { page } = await visitAs(await addPerson(service.catalog, undefined, true));
  await page.goto('/');
  await heading(page, 'Service').waitFor();
  const nav = page.getByRole('navigation', { name: 'Pages' });
  expect(await nav.getByRole('link').allTextContents()).toEqual([' Service']);
  await page.getByRole('button', { name: 'New account' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Evening school');
  await dialog.getByLabel('Time zone').fill('Asia/Nowhere');
  await dialog.getByLabel('Time zone').press('Enter');
  await dialog.getByText('This is no time zone').waitFor();
  await dialog.getByLabel('Time zone').fill('Asia/Seoul');
  await dialog.getByLabel('Time zone').press('Enter');
  const accounts = page.getByRole('region', { name: 'Accounts' });
  const row = accounts.getByRole('row', { name: 'Evening school' });
  await row.getByText('Open', { exact: true }).waitFor();
  await nav.getByRole('link', { name: 'Overview' }).waitFor();

  await row.getByRole('button', { name: 'Close' }).press('Enter');
  await dialog.getByRole('textbox').fill('Evening');
  await page.keyboard.press('Enter');
  await dialog.getByText('This is not the name of the account').waitFor();
  await expectAccessible(page, 'closing an account', ['dark', 'light']);
  await expectRoom(page, 'closing an account', extremeScreens);
  await dialog.getByRole('textbox').fill('Evening school');
  await page.keyboard.press('Enter');
  await row.getByText('Closed since').waitFor();
  const audit = page.getByRole('region', { name: 'Audit of the service' });
  await audit.getByText('Account closed').waitFor();
  await row.getByRole('button', { name: 'Open again' }).press('Enter');
  await dialog.getByRole('button', { name: 'Open again' }).press('Enter');
  await row.getByText('Open', { exact: true }).waitFor();
});

test('an operator passes a link for a new password on', async () => {
  const person = await addPerson(service.catalog, { ...account, role: 'analyst' });
  const { page } = await visitAs(await addPerson(service.catalog, undefined, true));
  await page.goto('/service');
  const { email = '' } = (await service.catalog.people.find(person.personId)) ?? {};
  const people = page.getByRole('region', { name: 'People' });
  const row = people.getByRole('row', { name: email });
  await row.getByRole('button', { name: 'Link for a new password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Link for a new password' }).click();
  const link = (await dialog.locator('code').textContent()) ?? '';
  const { page: theirs } = await visitDashboard(browser, service);
  await theirs.goto(link);
  await heading(theirs, 'Set a new password').waitFor();
});

for (const [locale, tags] of inBothLanguages) {
  test(`the pages of people are for everybody, in ${locale}`, { tags }, async () => {
    const person = await addPerson(service.catalog, { ...account, role: 'owner' }, true);
    const { page, complaints, quiet } = await visitAs(person, locale);
    for (const path of ['/me', '/settings/people', '/service']) {
      await page.goto(path);
      await quiet();
      expect(await page.locator('html').getAttribute('lang'), path).toBe(locale.slice(0, 2));
      await expectAccessible(page, `${path}, in ${locale}`, ['dark', 'light']);
      await expectRoom(page, `${path}, in ${locale}`, extremeScreens);
    }
    expect(complaints).toEqual([]);
  });
}

test('signing in and the pages of links are for everybody, in Korean too', async () => {
  const { catalog } = service;
  const { personId } = await addPerson(catalog, { ...account, role: 'analyst' });
  const invited = { email: 'park@example.com', role: 'analyst', packageIds: undefined } as const;
  const { accountId } = account;
  const invitation = accepted(await catalog.invitations.create({ accountId, ...invited })).token;
  const reset = await catalog.sessions.createPersonLink(personId, 600_000);
  const email = accepted(await catalog.people.prepareEmail(personId, 'lim@example.com', 600_000));
  const { page, complaints } = await visitDashboard(browser, service, undefined, {
    locale: 'ko-KR',
  });
  await page.goto('/');
  await heading(page, '로그인').waitFor();
  await expectAccessible(page, 'signing in, in Korean', ['dark', 'light']);
  await expectRoom(page, 'signing in, in Korean', extremeScreens);
  await page.getByRole('button', { name: '비밀번호를 잊으셨나요?' }).press('Enter');
  await heading(page, '비밀번호 찾기').waitFor();
  for (const link of [`invitation=${invitation}`, `reset=${reset}`, `email=${email}`]) {
    // Another fragment alone would load no page.
    await page.goto('about:blank');
    await page.goto(`/#${link}`);
    const [name = ''] = link.split('=');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator('html').getAttribute('lang'), name).toBe('ko');
    await expectAccessible(page, `${name}, in Korean`, ['dark', 'light']);
    await expectRoom(page, `${name}, in Korean`, extremeScreens);
  }
  expect(complaints).toEqual([]);
});
