import { apiKeys } from './api-keys.ts';
import { deliveries } from './deliveries.ts';
import { folders } from './folders.ts';
import { labels } from './labels.ts';
import type { ManagementOperation } from './operation.ts';
import { packages } from './packages.ts';
import { rules } from './rules.ts';
import { shares } from './shares.ts';
import { signingKeys } from './signing-keys.ts';

/** By subject, in the order of the OpenAPI document. */
export const operations = {
  ...{ apiKeys, signingKeys, folders, packages, labels, shares, rules, deliveries },
} as const satisfies Readonly<Record<string, readonly ManagementOperation[]>>;
