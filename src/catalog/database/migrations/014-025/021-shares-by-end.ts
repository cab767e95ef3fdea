import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Those that ended are found without reading the others, once a minute. */
export const sharesByEnd: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.createIndex('sharesByEnd').on('shares').column('expiresAtMs').execute();
  },
};
