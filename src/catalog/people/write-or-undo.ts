import { type Result, refuse } from '../../lib/result.ts';
import type { ChangeWatch } from '../database/change-watch.ts';
import type { Connection } from '../database/connection.ts';
import type { CatalogRefusal } from '../refusal.ts';

/** A write that takes something back and may refuse half-way: then all of it is undone. */
export async function writeOrUndo<Value>(
  watch: ChangeWatch,
  run: (connection: Connection) => Promise<Result<Value, CatalogRefusal>>,
): Promise<Result<Value, CatalogRefusal>> {
  try {
    return await watch.write<Value, CatalogRefusal>(async (connection) => {
      const result = await run(connection);
      if (!result.ok) throw new Undone(result.reason);
      return result;
    });
  } catch (error) {
    if (error instanceof Undone) return refuse(error.reason);
    throw error;
  }
}

class Undone extends Error {
  readonly reason: CatalogRefusal;

  constructor(reason: CatalogRefusal) {
    super('undone');
    this.reason = reason;
  }
}
