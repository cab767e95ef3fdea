import { type Kysely, type SchemaModule, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';
import { tableWithId } from '../table-with-id.ts';

export function firstTables(dialect: Dialect): Migration {
  return {
    async up(database: Kysely<unknown>) {
      const { schema } = database;
      await createAccounts(schema, dialect);
      await createVideos(schema, dialect);
      await createPackages(schema, dialect);
      await createSnapshots(schema, dialect);
      await schema
        .createTable('changeCount')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('count', 'bigint', (column) => column.notNull())
        .execute();
      await sql`insert into change_count (id, count) values (1, 0)`.execute(database);
    },
  };
}

/** Text in the order of its UTF-8 bytes, whatever the locale of the database. */
function inBytes(dialect: Dialect) {
  return dialect === 'sqlite' ? sql`text` : sql`text collate "C"`;
}

async function createAccounts(schema: SchemaModule, dialect: Dialect) {
  await tableWithId(schema, dialect, 'accounts')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('timeZone', 'text', (column) => column.notNull())
    .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
    .execute();
  await tableWithId(schema, dialect, 'apiKeys')
    .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('secretHash', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
    .addColumn('expiresAtMs', 'bigint')
    .addColumn('revokedAtMs', 'bigint')
    .execute();
  await schema.createIndex('apiKeysByPrefix').on('apiKeys').column('prefix').execute();
  await schema.createIndex('apiKeysByAccount').on('apiKeys').columns(['accountId', 'id']).execute();
}

async function createVideos(schema: SchemaModule, dialect: Dialect) {
  await tableWithId(schema, dialect, 'folders')
    .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
    .addColumn('deletedAtMs', 'bigint')
    .execute();
  await schema.createIndex('foldersByAccount').on('folders').columns(['accountId', 'id']).execute();
  await tableWithId(schema, dialect, 'videos')
    .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
    .addColumn('folderId', 'bigint', (column) => column.notNull().references('folders.id'))
    .addColumn('accessKey', 'text', (column) => column.notNull())
    .addColumn('cid', 'text')
    .addColumn('content', 'text')
    .addColumn('tag', 'text', (column) => column.notNull())
    .addColumn('durationMs', 'bigint', (column) => column.notNull())
    .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
    .addColumn('fileSizeBytes', 'bigint', (column) => column.notNull())
    .addColumn('height', 'bigint', (column) => column.notNull())
    .addColumn('width', 'bigint', (column) => column.notNull())
    .addColumn('frameRate', 'double precision', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('titleOrder', inBytes(dialect), (column) => column.notNull())
    .addColumn('series', 'text')
    .addColumn('author', 'text')
    .addColumn('copyright', 'text')
    .addColumn('rate', 'text')
    .addColumn('etc', 'text')
    .addColumn('encodingSuccess', 'text')
    .addColumn('deletedAtMs', 'bigint')
    .addUniqueConstraint('videosByAccessKey', ['accountId', 'accessKey'])
    .execute();
  await schema
    .createTable('thumbnails')
    .addColumn('videoId', 'bigint', (column) => column.notNull().references('videos.id'))
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('playTimeMs', 'bigint', (column) => column.notNull())
    .addColumn('selected', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('thumbnailsByVideo', ['videoId', 'seq'])
    .execute();
}

async function createPackages(schema: SchemaModule, dialect: Dialect) {
  await tableWithId(schema, dialect, 'packages')
    .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
    .addColumn('deletedAtMs', 'bigint')
    .execute();
  await schema
    .createIndex('packagesByAccount')
    .on('packages')
    .columns(['accountId', 'id'])
    .execute();
  await tableWithId(schema, dialect, 'publications')
    .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
    .addColumn('packageId', 'bigint', (column) => column.notNull().references('packages.id'))
    .addColumn('videoId', 'bigint', (column) => column.notNull().references('videos.id'))
    .addColumn('videoKey', 'text', (column) => column.notNull().unique())
    .addColumn('serviceAble', 'text', (column) => column.notNull())
    .addColumn('titleOrder', inBytes(dialect), (column) => column.notNull())
    .addColumn('durationMs', 'bigint', (column) => column.notNull())
    .addColumn('fileSizeBytes', 'bigint', (column) => column.notNull())
    .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
    .addColumn('retiredAtMs', 'bigint')
    .execute();
  // A video is in a package once; a removed one may be added again, under a new key.
  await schema
    .createIndex('publicationsByPackage')
    .unique()
    .on('publications')
    .columns(['packageId', 'videoId'])
    .where(sql.ref('retired_at_ms'), 'is', null)
    .execute();
  await schema.createIndex('publicationsByVideo').on('publications').column('videoId').execute();
}

async function createSnapshots(schema: SchemaModule, dialect: Dialect) {
  await schema
    .createTable('snapshots')
    .addColumn('requestId', 'text', (column) => column.primaryKey())
    .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('rowCount', 'bigint', (column) => column.notNull())
    .addColumn('body', dialect === 'sqlite' ? 'blob' : 'bytea')
    .addColumn('asOfMs', 'bigint', (column) => column.notNull())
    .addColumn('completeThroughMs', 'bigint', (column) => column.notNull())
    .addColumn('expiresAtMs', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('snapshotsByExpiry').on('snapshots').column('expiresAtMs').execute();
}
