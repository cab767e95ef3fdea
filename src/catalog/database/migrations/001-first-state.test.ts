/** A library of a million is searched as somebody types: nothing sorts all of it for a page. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { systemClock } from '../../../lib/time/clock.ts';
import { openDatabase } from '../database.ts';
import { migrate } from './migrations.ts';

const columns = ['id', 'title_order', 'duration_ms', 'file_size_bytes'];

test('the videos of all folders have an index for each order', async () => {
  const database = openDatabase({ sqliteFile: ':memory:' }, systemClock);
  await migrate(database);
  for (const column of columns) {
    const { rows } = await sql<{ detail: string }>`explain query plan
      select id from videos where account_id = 1 and deleted_at_ms is null
      order by ${sql.ref(column)} desc, id desc limit 30
    `.execute(database.kysely);
    const steps = rows.map(({ detail }) => detail);
    expect(steps, column).toEqual([expect.stringMatching(/USING (COVERING )?INDEX all_videos/)]);
  }
  await database.kysely.destroy();
});
