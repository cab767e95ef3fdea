import type { Catalog } from '../../catalog/catalog.ts';
import type { Eraser } from './eraser.ts';

/** What the verb that erases needs: the stores, beside a running service or alone. */
export interface ErasureService {
  readonly catalog: Catalog;
  readonly eraser: Eraser;
  close(): Promise<void>;
}
