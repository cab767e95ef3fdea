/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */
import type { Paging } from './information.ts';

export interface Key {
  /** Key */
  keyId: number;
  /** The beginning of the key, to tell keys apart */
  prefix: string;
  /**
   * What it may do
   *
   * @minItems 1
   * @maxItems 10
   */
  scopes: ('stats:read' | 'info:read' | 'collect:write' | 'manage')[];
  /** When it was made */
  createdAt: string;
  /** From when on it is refused; null: never */
  expiresAt: string | null;
  /** When it was revoked; null: it was not */
  revokedAt: string | null;
}

export interface KeyFields {
  /**
   * What it may do
   *
   * @minItems 1
   * @maxItems 10
   */
  scopes: ('stats:read' | 'info:read' | 'collect:write' | 'manage')[];
  /** From when on it is refused; default: never */
  expiresAt?: string | null;
}

export interface KeyList {
  list: Key[];
  paging: Paging;
}

export interface NewKey {
  /** Key */
  keyId: number;
  /** The beginning of the key, to tell keys apart */
  prefix: string;
  /**
   * What it may do
   *
   * @minItems 1
   * @maxItems 10
   */
  scopes: ('stats:read' | 'info:read' | 'collect:write' | 'manage')[];
  /** When it was made */
  createdAt: string;
  /** From when on it is refused; null: never */
  expiresAt: string | null;
  /** When it was revoked; null: it was not */
  revokedAt: string | null;
  /** The key itself, shown this once */
  key: string;
}

export interface RotationFields {
  /** How long the old key works on */
  overlapHours?: number;
}

export interface KeysParameters {
  /** Items a page */
  pageSize?: number;
  /** Page, from 1; past the end it is empty, with true totals */
  page?: number;
}
