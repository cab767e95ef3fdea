/** The labels that accounts declare: their names, their numbers, and what becomes of used ones. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { refused } from '../../src/catalog/refusal.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addAccount, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

describeKinds(catalogStores(), 'labels on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let accountId: number;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
  });
  afterAll(() => store.stop());
  beforeEach(async () => {
    accountId = await newAccount();
  });

  const newAccount = () => addAccount(catalog);
  const add = async (name: string) => accepted(await catalog.labels.create(accountId, name));
  const numbersOf = async () =>
    (await catalog.labels.list(accountId)).map(({ name, number }) => `${number} ${name}`);
  const known = async (from = catalog) => Object.fromEntries(await from.labels.known(accountId));

  test('are numbered from 1, and known by name', async () => {
    const course = await add('course');
    expect(course).toEqual({
      labelId: expect.any(Number),
      ...{ accountId, number: 1, name: 'course', declaredAt: new Date(clock.now()) },
    });
    const { labelId } = await add('Lesson_2-b');
    expect(await numbersOf()).toEqual(['1 course', '2 Lesson_2-b']);
    expect(await known()).toEqual({
      course: { labelId: course.labelId, number: 1, isUsed: false },
      'Lesson_2-b': { labelId, number: 2, isUsed: false },
    });
    expect(await catalog.labels.list(await newAccount())).toEqual([]);
  });

  test.each(['', '1a', '-a', 'a b', 'a.b', 'ä', 'a'.repeat(33), 'label\n'])(
    '%j is no name',
    async (name) => {
      const refusal = { ok: false, reason: { code: 'INVALID' } };
      expect(await catalog.labels.create(accountId, name)).toMatchObject(refusal);
      const { labelId } = await add('a'.repeat(32));
      expect(await catalog.labels.rename({ accountId, labelId }, name)).toMatchObject(refusal);
    },
  );

  test('a name is taken once, and by an account of its own', async () => {
    const { labelId } = await add('course');
    await add('lesson');
    const taken = refused('LABEL_NAME_USED');
    expect(await catalog.labels.create(accountId, 'course')).toEqual(taken);
    expect(await catalog.labels.rename({ accountId, labelId }, 'lesson')).toEqual(taken);
    const other = await newAccount();
    expect((await catalog.labels.create(other, 'course')).ok).toBe(true);
    const none = refused('NO_LABEL');
    const foreign = { accountId: other, labelId };
    expect(await catalog.labels.rename(foreign, 'mine')).toEqual(none);
    expect(await catalog.labels.delete(foreign)).toEqual(none);
    expect(await catalog.labels.create(999_999, 'course')).toEqual(refused('NO_ACCOUNT'));
  });

  test('a renamed label keeps its number, and its old name is free for another', async () => {
    const { labelId, declaredAt } = await add('course');
    const renamed = accepted(await catalog.labels.rename({ accountId, labelId }, 'subject'));
    expect(renamed).toEqual({ labelId, accountId, number: 1, name: 'subject', declaredAt });
    await add('course');
    expect(await numbersOf()).toEqual(['1 subject', '2 course']);
  });

  test('a used number stays with its name; one that was never used is free', async () => {
    const [course, lesson] = [await add('course'), await add('lesson')];
    await catalog.labels.markUsed([course.labelId]);
    expect(await known()).toMatchObject({ course: { isUsed: true }, lesson: { isUsed: false } });
    accepted(await catalog.labels.delete(course));
    accepted(await catalog.labels.delete(lesson));
    expect(await catalog.labels.delete(course)).toEqual(refused('NO_LABEL'));
    expect(await known()).toEqual({});

    await add('teacher');
    expect(await numbersOf()).toEqual(['2 teacher']);
    clock.advance(1_000);
    expect(await add('course')).toEqual(course);
    expect(await known()).toMatchObject({ course: { number: 1, isUsed: true } });
    // A name of values that are no longer shown is not to be had by renaming either.
    accepted(await catalog.labels.delete(course));
    const [{ labelId } = course] = await catalog.labels.list(accountId);
    const taken = refused('LABEL_NAME_USED');
    expect(await catalog.labels.rename({ accountId, labelId }, 'course')).toEqual(taken);
  });

  test('an account has at most ten, those counted that were used and deleted', async () => {
    const labels = [];
    for (let number = 1; number <= 10; number += 1) labels.push(await add(`label-${number}`));
    const full = refused('TOO_MANY_LABELS');
    expect(await catalog.labels.create(accountId, 'another')).toEqual(full);
    const [one, two] = labels as [(typeof labels)[0], (typeof labels)[0]];
    await catalog.labels.markUsed([one.labelId]);
    accepted(await catalog.labels.delete(one));
    expect(await catalog.labels.create(accountId, 'another')).toEqual(full);
    accepted(await catalog.labels.delete(two));
    expect(await add('another')).toMatchObject({ number: 2 });
  });

  test('a label deleted while it is marked as used is marked, or is gone', async () => {
    const { labelId } = await add('course');
    const [, deleted] = await Promise.all([
      catalog.labels.markUsed([labelId]),
      catalog.labels.delete({ accountId, labelId }),
    ]);
    expect(deleted.ok).toBe(true);
    const again = await add('course');
    const isUsed = again.labelId === labelId;
    expect((await known()).course).toMatchObject({ labelId: again.labelId, isUsed });
  });

  test('other processes see a change within a second', async () => {
    const other = await store.open(location, clock);
    expect(await known(other)).toEqual({});
    const { labelId } = await add('course');
    clock.advance(1_000);
    expect(await known(other)).toMatchObject({ course: { isUsed: false } });
    await catalog.labels.markUsed([labelId]);
    clock.advance(1_000);
    expect(await known(other)).toMatchObject({ course: { isUsed: true } });
    accepted(await catalog.labels.delete({ accountId, labelId }));
    clock.advance(1_000);
    expect(await known(other)).toEqual({});
  });
});
