/** Views of the dashboard that are kept under a name: a page, and its query. */
import type { Result } from '../lib/result.ts';
import type { CatalogRefusal } from './refusal.ts';

type Outcome<Value> = Promise<Result<Value, CatalogRefusal>>;

export interface SavedViewFields {
  readonly name: string;
  /** Its path, such as `/quality`. */
  readonly page: string;
  /** Without the question mark; '': none. */
  readonly query: string;
}

export interface SavedView extends SavedViewFields {
  readonly viewId: number;
  readonly accountId: number;
  /** Whose it is; undefined: all of the account see it. */
  readonly personId: number | undefined;
  readonly createdAt: Date;
  /** As in the audit. */
  readonly createdBy: string;
  readonly createdByName: string;
}

export interface NewSavedView extends SavedViewFields {
  readonly accountId: number;
  /** What no person makes is always of the account. */
  readonly isShared: boolean;
}

export interface SavedViewName {
  readonly accountId: number;
  readonly viewId: number;
}

/** Omitted fields stay as they are. What is no longer shared is whoever's that changes it. */
export type SavedViewChanges = { readonly [Name in keyof SavedViewFields]?: string } & {
  readonly isShared?: boolean;
};

/** A person's own go with their membership, all when the whole account is erased. */
export interface SavedViews {
  /** Those of the account, and of the person if one is named, by name. */
  list(accountId: number, personId?: number): Promise<SavedView[]>;
  create(view: NewSavedView): Outcome<SavedView>;
  change(name: SavedViewName, changes: SavedViewChanges): Outcome<SavedView>;
  delete(name: SavedViewName): Outcome<void>;
}
