/** Alerts, reports and their messages in the catalog: concluded once, attempted again. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { mailAttemptMs } from '../../src/alerts/delivery/mail-sender.ts';
import type {
  Catalog,
  ClaimedDelivery,
  Conclusion,
  NewRule,
  Rule,
  RuleChanges,
} from '../../src/catalog/catalog.ts';
import { countLimits } from '../../src/catalog/refusal.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { DeliveryChannel } from '../../src/wire/management/deliveries.ts';
import { catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const refusedBy = (status: number) =>
  ({ isDelivered: false, isFinal: false, status, error: `status ${status}` }) as const;
const delivered = { isDelivered: true, isFinal: false, status: 204, error: undefined };

describeKinds(catalogStores(), 'rules on $name', (store) => {
  const clock = manualClock();
  let catalog: Catalog;
  /** Another process on the same database. */
  let other: Catalog;
  let nodes: readonly Catalog[];
  let accountId: number;

  beforeAll(async () => {
    ({ catalog, other, nodes } = await store.startWithTwo(clock));
  });
  afterAll(() => store.stop());
  beforeEach(async () => {
    const account = { name: 'Studio', timeZone: 'Asia/Seoul' };
    accountId = accepted(await catalog.accounts.create(account)).accountId;
  });

  // What waits is given up, so that no other test claims it.
  afterEach(async () => {
    for (const rule of await catalog.rules.after(0)) accepted(await catalog.rules.delete(rule));
  });

  const fieldsOf = (changes: Partial<NewRule> = {}): NewRule => ({
    ...{ accountId, name: 'Quiet', terms: { kind: 'silence', minutes: 30, filters: null } },
    ...{ url: 'https://hooks.example.com/secret', sealedSecret: Buffer.from('sealed') },
    ...{ mailTo: [], ...changes },
  });
  const create = async (changes?: Partial<NewRule>) =>
    accepted(await catalog.rules.create(fieldsOf(changes)));
  const conclusion = (atMs = clock.now() + 1): Conclusion => ({
    ...{ judgedThrough: new Date(atMs), isFiring: true },
    message: { type: 'alert.firing', body: '{}' },
  });
  const log = () => catalog.deliveries.list(accountId, {});

  test('are kept as they were given, and noted without what is secret in a URL', async () => {
    const rule = await create({ mailTo: ['a@example.com', 'b@example.com'] });
    expect(rule).toMatchObject({ ...fieldsOf(), mailTo: ['a@example.com', 'b@example.com'] });
    expect(await catalog.rules.list(accountId, 'alert')).toEqual([rule]);
    expect(await catalog.rules.list(accountId, 'report')).toEqual([]);
    expect(await catalog.rules.after(rule.ruleId - 1)).toContainEqual(rule);
    const [entry] = await catalog.audit.list(accountId, { limit: 1 });
    expect(entry).toMatchObject({ action: 'ALERT_CREATED', object: String(rule.ruleId) });
    expect(JSON.stringify(entry)).not.toContain('/secret');
  });

  test('are judged by one of several nodes, which makes a message for each receiver', async () => {
    const rule = await create({ mailTo: ['a@example.com'] });
    const concluded = await Promise.all(
      [...nodes, ...nodes].map((one) => one.rules.conclude(rule, conclusion())),
    );
    expect(concluded.filter(Boolean)).toEqual([true]);
    expect((await log()).map(({ channel, state }) => `${channel} ${state}`).sort()).toEqual([
      'mail waiting',
      'webhook waiting',
    ]);
    const [judged] = await catalog.rules.list(accountId, 'alert');
    expect(judged).toMatchObject({ isFiring: true, judgedThrough: new Date(clock.now() + 1) });
  });

  test('are paused, resumed and changed, and judged anew from then on', async () => {
    const rule = await create();
    await catalog.rules.conclude(rule, conclusion());
    clock.advance(minuteMs);
    const change = async (changes: RuleChanges) =>
      accepted(await catalog.rules.change(rule, () => changes));
    const paused = await change({ isPaused: true });
    expect(paused).toMatchObject({ isPaused: true, isFiring: true, name: 'Quiet' });
    expect(await catalog.rules.conclude(paused, conclusion())).toBe(false);
    const resumed = await change({ isPaused: false, name: 'Loud' });
    expect(resumed).toMatchObject({ isPaused: false, isFiring: true, name: 'Loud' });
    expect(resumed.judgedThrough).toEqual(new Date(clock.now()));
    const terms = { kind: 'silence', minutes: 60, filters: null } as const;
    const changed = await change({ terms, url: undefined, mailTo: ['a@example.com'] });
    expect(changed).toMatchObject({ terms, isFiring: false, url: undefined });
    expect(await catalog.rules.find(rule)).toEqual(changed);
    const [entry] = await catalog.audit.list(accountId, { limit: 1 });
    expect(entry).toMatchObject({ action: 'ALERT_CHANGED', before: { minutes: 30 } });
    const gone = await catalog.rules.change({ ...rule, subject: 'report' }, () => ({
      isPaused: true,
    }));
    expect(gone).toMatchObject({ ok: false, reason: { code: 'NO_REPORT' } });
  });

  test('send what was judged to the receivers that they have by then', async () => {
    const rule = await create();
    const receivers = { url: undefined, mailTo: ['new@example.com'] };
    accepted(await catalog.rules.change(rule, () => receivers));
    expect(await catalog.rules.conclude(rule, conclusion())).toBe(true);
    expect((await log()).map(({ receiver }) => receiver)).toEqual(['new@example.com']);
  });

  test('are changed by several nodes at once, each on top of what the others changed', async () => {
    const rule = await create();
    const add = (one: Catalog) =>
      one.rules.change(rule, ({ name, mailTo }) => ({
        ...{ name: `${name}+`, mailTo: [...mailTo, `a${mailTo.length}@example.com`] },
      }));
    for (const changed of await Promise.all([...nodes, ...nodes].map(add))) accepted(changed);
    expect(await catalog.rules.find(rule)).toMatchObject({
      name: `Quiet${'+'.repeat(2 * nodes.length)}`,
      mailTo: Array.from({ length: 2 * nodes.length }, (_, index) => `a${index}@example.com`),
    });
  });

  test('send a test to each receiver, while they are paused too', async () => {
    const rule = await create({ mailTo: ['a@example.com'] });
    accepted(await catalog.rules.change(rule, () => ({ isPaused: true })));
    const message = { type: 'alert.test', body: '{}' } as const;
    const sent = accepted(await catalog.rules.send(rule, message));
    expect((await log()).toSorted((one, other) => one.deliveryId - other.deliveryId)).toEqual(sent);
    expect(sent.map(({ channel, type }) => [channel, type])).toEqual([
      ['webhook', 'alert.test'],
      ['mail', 'alert.test'],
    ]);
  });

  test('their messages are claimed by one of several nodes', async () => {
    for (let made = 0; made < 30; made += 1) {
      const rule = await create();
      await catalog.rules.conclude(rule, conclusion());
    }
    const claimAll = async (node: Catalog): Promise<ClaimedDelivery[]> => {
      const some = await node.deliveries.claim();
      return some.length === 0 ? [] : [...some, ...(await claimAll(node))];
    };
    const all = [nodes, nodes, nodes, nodes].flat();
    const claimed = (await Promise.all(all.map(claimAll))).flat();
    expect(claimed).toHaveLength(30);
    expect(new Set(claimed.map(({ messageId }) => messageId)).size).toBe(30);
    expect(claimed[0]).toMatchObject({ attempts: 1, body: '{}', accountName: 'Studio' });
    expect(Buffer.from(claimed[0]?.sealedSecret ?? []).toString()).toBe('sealed');
  });

  test('their accounts take turns, and each has two under way', async () => {
    const accountOf = async (messages: number): Promise<number> => {
      const account = { name: 'Shop', timeZone: 'UTC' };
      const { accountId } = accepted(await catalog.accounts.create(account));
      for (let made = 0; made < messages; made += 1) {
        await catalog.rules.conclude(await create({ accountId }), conclusion());
      }
      return accountId;
    };
    const many = await accountOf(25);
    const few = await accountOf(1);
    const claimedBeside = async (...accountIds: number[]) => {
      const underWay = accountIds.map((accountId) => ({ accountId, channel: 'webhook' }) as const);
      return (await catalog.deliveries.claim(underWay)).map((one) => one.accountId).sort();
    };
    expect(await claimedBeside()).toEqual([many, many, few].sort());
    expect(await claimedBeside(many)).toEqual([many]);
    expect(await claimedBeside(many, many)).toEqual([]);
    const late = await accountOf(3);
    expect(await claimedBeside(many, many)).toEqual([late, late]);
    // Of the 20 places one is left.
    const others = Array.from({ length: 19 }, (_, other) => -1 - other);
    expect(await claimedBeside(...others)).toHaveLength(1);
    expect(await claimedBeside(...others, -20)).toEqual([]);
  });

  test('of their messages, mails and webhooks keep no place from each other', async () => {
    const mailTo = ['a@example.com', 'b@example.com', 'c@example.com'];
    const claimedBeside = async (channel: DeliveryChannel, count: number) => {
      const { accountId } = accepted(
        await catalog.accounts.create({ name: 'Shop', timeZone: 'UTC' }),
      );
      await catalog.rules.conclude(await create({ accountId, mailTo }), conclusion());
      const underWay = Array.from({ length: count }, (_, other) => ({
        ...{ accountId: -1 - other, channel },
      }));
      const claimed = await catalog.deliveries.claim(underWay);
      return claimed.filter((one) => one.accountId === accountId).map((one) => one.channel);
    };
    expect(await claimedBeside('mail', 0)).toEqual(['webhook', 'mail', 'mail']);
    expect(await claimedBeside('mail', 10)).toEqual(['webhook']);
    expect(await claimedBeside('webhook', 20)).toEqual(['mail', 'mail']);
  });

  const claimOne = async (by = catalog) => {
    const claimed = await by.deliveries.claim();
    expect(claimed).toHaveLength(1);
    return claimed[0] as (typeof claimed)[number];
  };

  test('a process that dies after its claim leaves the attempt to others, under one id', async () => {
    await catalog.rules.conclude(await create(), conclusion());
    const first = await claimOne();
    expect(await other.deliveries.claim()).toEqual([]);
    clock.advance(minuteMs - 1);
    expect(await other.deliveries.claim()).toEqual([]);
    clock.advance(1);
    const second = await claimOne(other);
    expect(second).toMatchObject({ messageId: first.messageId, attempts: 2 });
    // Late, the first has no say any more.
    await catalog.deliveries.settle(first, refusedBy(500));
    await other.deliveries.settle(second, delivered);
    expect(await log()).toMatchObject([{ state: 'delivered', attempts: 2, status: 204 }]);
  });

  test('that are mails are attempted by nobody else while a mail server may take', async () => {
    const rule = await create({ url: undefined, mailTo: ['a@example.com'] });
    await catalog.rules.conclude(rule, conclusion());
    const first = await claimOne();
    clock.advance(mailAttemptMs);
    expect(await other.deliveries.claim()).toEqual([]);
    clock.advance(3 * minuteMs - mailAttemptMs);
    expect(await claimOne(other)).toMatchObject({ messageId: first.messageId, attempts: 2 });
  });

  test('are attempted ever later, and then given up', async () => {
    await catalog.rules.conclude(await create(), conclusion());
    const pausesMinutes: number[] = [];
    let state = 'waiting';
    for (let lastMs = clock.now(); state === 'waiting'; ) {
      const claimed = await claimOne();
      pausesMinutes.push((clock.now() - lastMs) / minuteMs);
      lastMs = clock.now();
      state = await catalog.deliveries.settle(claimed, refusedBy(503));
      const [left] = await log();
      clock.advance((left?.nextAttemptAt?.getTime() ?? clock.now()) - clock.now());
    }
    expect(pausesMinutes).toEqual([0, 1, 5, 30, 120, 300, 600, 840]);
    expect(await log()).toMatchObject([
      { state: 'failed', attempts: 8, status: 503, error: 'status 503', nextAttemptAt: undefined },
    ]);
    expect(await catalog.deliveries.claim()).toEqual([]);
  });

  test('are replayed under the same id, unless their rule is gone', async () => {
    const rule = await create();
    await catalog.rules.conclude(rule, conclusion());
    const claimed = await claimOne();
    await catalog.deliveries.settle(claimed, { ...refusedBy(410), isFinal: true });
    const name = { accountId, deliveryId: claimed.deliveryId };
    expect(await catalog.deliveries.find(name)).toMatchObject({ state: 'failed', body: '{}' });
    expect(accepted(await catalog.deliveries.replay(name))).toMatchObject({ state: 'waiting' });
    expect(await catalog.audit.list(accountId, { limit: 1 })).toMatchObject([
      { action: 'DELIVERY_REPLAYED', object: String(claimed.deliveryId) },
    ]);
    expect(await claimOne()).toMatchObject({ messageId: claimed.messageId, attempts: 1 });

    const stranger = accepted(await catalog.accounts.create({ name: 'B', timeZone: 'UTC' }));
    const foreign = { ...stranger, deliveryId: claimed.deliveryId };
    expect(await catalog.deliveries.find(foreign)).toBeUndefined();
    expect(await catalog.deliveries.replay(foreign)).toMatchObject({
      reason: { code: 'NO_DELIVERY' },
    });
    accepted(await catalog.rules.delete(rule));
    expect(await log()).toMatchObject([{ state: 'failed', error: 'its alert was deleted' }]);
    const gone = await catalog.deliveries.replay(name);
    expect(gone).toMatchObject({ reason: { code: 'RULE_DELETED' } });
  });

  test('are deleted by their account alone, and as what they are', async () => {
    const rule = await create();
    const stranger = accepted(await catalog.accounts.create({ name: 'B', timeZone: 'UTC' }));
    const wrong: (readonly [object, string])[] = [
      [stranger, 'NO_ALERT'],
      [{ subject: 'report' }, 'NO_REPORT'],
    ];
    for (const [change, code] of wrong) {
      const refused = await catalog.rules.delete({ ...rule, ...change });
      expect(refused).toMatchObject({ ok: false, reason: { code } });
    }
    accepted(await catalog.rules.delete(rule));
    expect(await catalog.rules.delete(rule)).toMatchObject({ ok: false });
    expect(await catalog.rules.conclude(rule, conclusion())).toBe(false);
    expect(await log()).toEqual([]);
  });

  test('are bounded in number, and so is the log, which is kept for 30 days', async () => {
    const rules: Rule[] = [];
    for (let made = 0; made < countLimits.rules; made += 1) rules.push(await create());
    const refused = await catalog.rules.create(fieldsOf());
    expect(refused).toMatchObject({ reason: { code: 'TOO_MANY_RULES' } });
    const mailTo = Array.from({ length: 9 }, (_, index) => `a${index}@example.com`);
    accepted(await catalog.rules.delete(rules[0] as Rule));
    let rule = await create({ mailTo });
    for (let turn = 0; turn < 101; turn += 1) {
      await catalog.rules.conclude(rule, conclusion(clock.now() + turn + 1));
      rule = { ...rule, judgedThrough: new Date(clock.now() + turn + 1) };
    }
    expect(await log()).toHaveLength(1_000);
    clock.advance(30 * dayMs);
    while ((await catalog.deliveries.purge()) > 0);
    expect(await log()).toHaveLength(1_000);
    clock.advance(1);
    while ((await catalog.deliveries.purge()) > 0);
    expect(await log()).toEqual([]);
  });
});
