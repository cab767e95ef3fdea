import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../connection.ts';

/** All tables and indexes, as the first release has them. */
export function firstState(dialect: Dialect): Migration {
  const search = dialect === 'sqlite' ? sqliteSearch : postgresSearch();
  const guards = dialect === 'sqlite' ? sqliteAuditGuards : postgresAuditGuards;
  return {
    async up(database: Kysely<unknown>) {
      for (const statement of [...tables(dialect), ...search, ...guards]) {
        await sql.raw(statement).execute(database);
      }
    },
  };
}

function tables(dialect: Dialect): string[] {
  const isSqlite = dialect === 'sqlite';
  // Never given again, not even after a row is deleted.
  const id = isSqlite
    ? 'id integer primary key autoincrement'
    : 'id bigint generated always as identity primary key';
  const bytes = isSqlite ? 'blob' : 'bytea';
  // In the order of its UTF-8 bytes, whatever the locale of the database.
  const textInBytes = isSqlite ? 'text' : 'text collate "C"';
  return [
    `create table accounts (
      ${id},
      name text not null,
      time_zone text not null,
      created_at_ms bigint not null,
      library_changes bigint not null default 0,
      verdict_epoch bigint not null default 0,
      takes_unsealed integer not null default 0,
      viewers text not null default 'anonymous',
      is_erased bigint not null default 0,
      kept_since_ms bigint not null default 0,
      answers_since_ms bigint not null default 0,
      facts_months bigint not null default 25,
      keeps_sums integer not null default 1
    )`,
    `create table identities (
      name text primary key,
      value text not null
    )`,
    `create table api_keys (
      ${id},
      account_id bigint not null references accounts (id),
      prefix text not null,
      secret_hash text not null,
      scopes text not null,
      created_at_ms bigint not null,
      expires_at_ms bigint,
      revoked_at_ms bigint,
      name text not null default '',
      last_used_at_ms bigint
    )`,
    'create index api_keys_by_account on api_keys (account_id, id)',
    'create index api_keys_by_prefix on api_keys (prefix)',
    `create table sessions (
      ${id},
      key_id bigint not null references api_keys (id),
      kind text not null,
      token_hash text not null unique,
      created_at_ms bigint not null,
      expires_at_ms bigint not null
    )`,
    'create index sessions_by_end on sessions (expires_at_ms)',
    'create index sessions_by_key on sessions (key_id, id)',
    `create table signing_keys (
      ${id},
      account_id bigint not null references accounts (id),
      algorithm text not null,
      material ${bytes} not null,
      created_at_ms bigint not null,
      expires_at_ms bigint
    )`,
    'create index signing_keys_by_account on signing_keys (account_id, id)',
    `create table folders (
      ${id},
      account_id bigint not null references accounts (id),
      name text not null,
      created_at_ms bigint not null,
      deleted_at_ms bigint
    )`,
    'create index folders_by_account on folders (account_id, id)',
    `create table videos (
      ${id},
      account_id bigint not null references accounts (id),
      folder_id bigint not null references folders (id),
      access_key text not null,
      cid text,
      content text,
      tag text not null,
      duration_ms bigint not null,
      created_at_ms bigint not null,
      file_size_bytes bigint not null,
      height bigint not null,
      width bigint not null,
      frame_rate double precision not null,
      title text not null,
      title_order ${textInBytes} not null,
      series text,
      author text,
      copyright text,
      rate text,
      etc text,
      encoding_success text,
      deleted_at_ms bigint,
      constraint videos_by_access_key unique (account_id, access_key)
    )`,
    'create index all_videos on videos (account_id, id) where deleted_at_ms is null',
    `create index all_videos_by_duration
      on videos (account_id, duration_ms, id)
      where deleted_at_ms is null`,
    `create index all_videos_by_file_size
      on videos (account_id, file_size_bytes, id)
      where deleted_at_ms is null`,
    `create index all_videos_by_title
      on videos (account_id, title_order, id)
      where deleted_at_ms is null`,
    'create index videos_by_cid on videos (account_id, cid, id) where deleted_at_ms is null',
    `create index videos_by_duration
      on videos (folder_id, duration_ms, id)
      where deleted_at_ms is null`,
    `create index videos_by_file_size
      on videos (folder_id, file_size_bytes, id)
      where deleted_at_ms is null`,
    'create index videos_by_folder on videos (folder_id, id) where deleted_at_ms is null',
    `create index videos_by_title
      on videos (folder_id, title_order, id, duration_ms, file_size_bytes)
      where deleted_at_ms is null`,
    `create table thumbnails (
      video_id bigint not null references videos (id),
      seq integer not null,
      url text not null,
      play_time_ms bigint not null,
      selected integer not null,
      constraint thumbnails_by_video primary key (video_id, seq)
    )`,
    `create table packages (
      ${id},
      account_id bigint not null references accounts (id),
      name text not null,
      type text not null,
      created_at_ms bigint not null,
      deleted_at_ms bigint,
      allowed_origins text not null default '',
      signing text not null default 'open'
    )`,
    'create index packages_by_account on packages (account_id, id)',
    `create table publications (
      ${id},
      account_id bigint not null references accounts (id),
      package_id bigint not null references packages (id),
      video_id bigint not null references videos (id),
      video_key text not null unique,
      service_able text not null,
      title_order ${textInBytes} not null,
      duration_ms bigint not null,
      file_size_bytes bigint not null,
      created_at_ms bigint not null,
      retired_at_ms bigint
    )`,
    `create index publications_by_duration
      on publications (package_id, duration_ms, video_id)
      where retired_at_ms is null`,
    `create index publications_by_file_size
      on publications (package_id, file_size_bytes, video_id)
      where retired_at_ms is null`,
    `create unique index publications_by_package
      on publications (package_id, video_id)
      where retired_at_ms is null`,
    `create index publications_by_title
      on publications (package_id, title_order, video_id, duration_ms, file_size_bytes)
      where retired_at_ms is null`,
    'create index publications_by_video on publications (video_id)',
    `create table labels (
      ${id},
      account_id bigint not null references accounts (id),
      number integer not null,
      name text not null,
      created_at_ms bigint not null,
      is_used integer not null,
      deleted_at_ms bigint,
      constraint labels_by_number unique (account_id, number),
      constraint labels_by_name unique (account_id, name)
    )`,
    `create table salts (
      account_id bigint not null references accounts (id),
      from_ms bigint not null,
      until_ms bigint not null,
      salt ${bytes} not null,
      constraint salts_key primary key (account_id, from_ms)
    )`,
    'create index salts_by_end on salts (until_ms)',
    `create table snapshots (
      request_id text primary key,
      account_id bigint not null references accounts (id),
      path text not null,
      row_count bigint not null,
      body ${bytes},
      as_of_ms bigint not null,
      complete_through_ms bigint not null,
      expires_at_ms bigint not null,
      bytes bigint not null default 0
    )`,
    'create index snapshots_by_account on snapshots (account_id, expires_at_ms, bytes)',
    'create index snapshots_by_expiry on snapshots (expires_at_ms)',
    `create table idempotent_writes (
      key_id bigint not null references api_keys (id),
      path text not null,
      idempotency_key text not null,
      fingerprint text not null,
      answer ${bytes},
      created_at_ms bigint not null,
      account_id bigint not null default 0,
      constraint idempotent_writes_by_name primary key (key_id, path, idempotency_key)
    )`,
    'create index idempotent_writes_by_account on idempotent_writes (account_id, created_at_ms)',
    'create index idempotent_writes_by_age on idempotent_writes (created_at_ms)',
    `create table audit (
      ${id},
      account_id bigint not null references accounts (id),
      at_ms bigint not null,
      actor text not null,
      actor_name text not null,
      address text,
      action text not null,
      object text,
      before_json text,
      after_json text
    )`,
    'create index audit_by_action on audit (account_id, action, at_ms, id)',
    'create index audit_by_actor on audit (account_id, actor, at_ms, id)',
    'create index audit_by_actor_and_action on audit (account_id, actor, action, at_ms, id)',
    'create index audit_by_time on audit (account_id, at_ms, id)',
    `create table audit_purges (
      account_id bigint not null references accounts (id),
      action text not null,
      through_ms bigint not null,
      constraint audit_purges_by_action primary key (account_id, action)
    )`,
    `create table verdicts (
      account_id bigint not null references accounts (id),
      suspect text not null,
      verdict text not null,
      at_ms bigint not null,
      actor text not null,
      actor_name text not null,
      decisions bigint not null,
      is_summed integer not null,
      constraint verdicts_by_suspect primary key (account_id, suspect)
    )`,
    'create index verdicts_unsummed on verdicts (is_summed, at_ms)',
    `create table erasures (
      receipt text primary key,
      account_id bigint not null references accounts (id),
      kind text not null,
      viewer text not null,
      package_id bigint not null,
      video_id bigint not null,
      until_ms bigint not null,
      state text not null,
      views bigint not null,
      facts bigint not null,
      at_ms bigint not null,
      actor text not null,
      actor_name text not null,
      ended_at_ms bigint
    )`,
    'create index erasures_by_account on erasures (account_id, at_ms, receipt)',
    'create index erasures_by_state on erasures (state, at_ms)',
    `create table erased_names (
      account_id bigint not null references accounts (id),
      name text not null,
      until_ms bigint not null,
      receipt text not null references erasures (receipt),
      constraint erased_names_key primary key (account_id, name)
    )`,
    'create index erased_names_by_receipt on erased_names (receipt, name)',
    `create table shares (
      ${id},
      account_id bigint not null references accounts (id),
      token_start text not null unique,
      token_hash text not null,
      name text not null,
      access_key text,
      package_id bigint,
      filters text not null,
      from_day text,
      to_day text,
      last_days integer,
      compare text not null,
      time_zone text not null,
      origins text not null,
      expires_at_ms bigint,
      created_at_ms bigint not null,
      actor text not null,
      actor_name text not null
    )`,
    'create index shares_by_account on shares (account_id)',
    'create index shares_by_end on shares (expires_at_ms)',
    `create table rules (
      ${id},
      account_id bigint not null references accounts (id),
      subject text not null,
      name text not null,
      terms text not null,
      url text,
      sealed_secret ${bytes},
      mail_to text not null,
      is_firing integer not null,
      judged_through_ms bigint not null,
      created_at_ms bigint not null,
      actor text not null,
      actor_name text not null
    )`,
    'create index rules_by_account on rules (account_id)',
    `create table deliveries (
      ${id},
      account_id bigint not null references accounts (id),
      rule_id bigint not null,
      subject text not null,
      message_id text not null,
      channel text not null,
      receiver text not null,
      type text not null,
      body text not null,
      state text not null,
      attempts integer not null,
      next_at_ms bigint not null,
      created_at_ms bigint not null,
      attempted_at_ms bigint,
      status integer,
      error text
    )`,
    'create index deliveries_by_account on deliveries (account_id, id)',
    'create index deliveries_by_age on deliveries (created_at_ms)',
    'create index deliveries_by_state on deliveries (state, next_at_ms)',
    `create table scheduled_runs (
      name text primary key,
      holder text not null,
      leased_until_ms bigint not null,
      after_ms bigint not null,
      failures integer not null,
      error text,
      retry_at_ms bigint not null,
      succeeded_at_ms bigint,
      complete_through_ms bigint,
      target text not null,
      looked_at_ms bigint not null,
      noted_through_ms bigint not null
    )`,
    `create table export_days (
      account_id bigint not null references accounts (id),
      day bigint not null,
      constraint export_days_key primary key (account_id, day)
    )`,
    `create table change_count (
      id integer primary key,
      count bigint not null
    )`,
    'insert into change_count (id, count) values (1, 0)',
    ...(isSqlite ? [] : [limitWindows]),
  ];
}

/**
 * What was taken of limits in their minute, over all nodes; a catalog in SQLite has one node, which
 * counts in memory. Unlogged: it costs no write-ahead log, reaches no archive and no standby, and a
 * crash of the server forgets no more than a minute.
 */
const limitWindows = `create unlogged table limit_windows (
  subject text primary key,
  until_ms bigint not null,
  granted bigint not null,
  taken bigint not null
)`;

/**
 * TRICKY: the text put in is already cut into tokens (search-text.ts), one control character
 * between them, so that the tokenizer has nothing to do but to take every other character as part
 * of a token. `content=''` keeps the tokens only, not the text; `prefix` makes keywords of one
 * and two characters as fast as longer ones: the place of the field stands before them.
 */
const sqliteSearch = [
  `create virtual table video_search using fts5(
    tokens, content = '', contentless_delete = 1, prefix = '2 3',
    tokenize = 'ascii tokenchars '' !"#$%&''''()*+,-./:;<=>?@[\\]^_\`{|}~''')`,
];

/** Each folder is in one partition; there are enough that large folders seldom share one. */
const searchPartitions = 16;

/**
 * PostgreSQL has to visit the rows found to count them, which is most of the work of a search: the
 * rows of a folder lie side by side, in a partition, and hold only what they have to. What lists
 * are sorted by is in a row, or a part of it, so that what was found is sorted without a look at
 * its video.
 */
function postgresSearch(): string[] {
  const partitions = Array.from(
    { length: searchPartitions },
    (_, remainder) => `create table video_search_${remainder} partition of video_search
      for values with (modulus ${searchPartitions}, remainder ${remainder})`,
  );
  // From each character on: it alone, it and the next, and the next two; and the field's place.
  // Regular expressions take a third of the time of joining characters one by one. At the end of
  // a text some tokens come shorter, and so twice, which an index does not mind.
  const cut = (from: number, length: number) => `
    regexp_replace(substr(content, ${from}), '.{1,${length}}',
      place || '\\&' || chr(1), 'g')`;
  const cuts = [cut(1, 1), cut(1, 2), cut(2, 2), cut(1, 3), cut(2, 3), cut(3, 3)];
  return [
    `create table video_search (
      video_id bigint not null,
      folder_id bigint not null,
      package_ids bigint[] not null,
      title text not null,
      series text not null,
      author text not null,
      copyright text not null,
      content text not null,
      tag text not null,
      etc text not null,
      duration_ms bigint not null,
      file_size_bytes bigint not null,
      primary key (folder_id, video_id)
    ) partition by hash (folder_id)`,
    'create index video_search_by_video on video_search (video_id)',
    ...partitions,
    // The index is over an expression, so that a row holds no tokens: they would take three times
    // its room. `cost` makes the planner never compute tokens for a row that it can find by it.
    `create function video_search_tokens(package_ids bigint[], texts text[])
    returns text[] language sql immutable parallel safe cost 100000
    as $$
      select array(select 'package' || package_id from unnest(package_ids) as package_id)
        || string_to_array(
          rtrim(string_agg(${cuts.join(' || ')}, ''), chr(1)), chr(1))
      from unnest(texts) with ordinality as field(content, place)
      where content <> ''
    $$`,
    `create index video_search_by_token on video_search using gin ((
      video_search_tokens(package_ids,
        array[title, series, author, copyright, content, tag, etc])
    ) collate "C")`,
  ];
}

const auditRefusal = 'the audit is only ever added to';

/** The purge may delete what `audit_purges` says has been kept long enough. */
const isPurged = `exists (
  select 1 from audit_purges purge where purge.account_id = old.account_id
    and purge.action = old.action and purge.through_ms >= old.at_ms)`;

const sqliteAuditGuards = [
  `create trigger audit_refuses_update before update on audit
    begin select raise(abort, '${auditRefusal}'); end`,
  `create trigger audit_refuses_delete before delete on audit when not ${isPurged}
    begin select raise(abort, '${auditRefusal}'); end`,
];

const postgresAuditGuards = [
  `create function refuse_audit_change() returns trigger language plpgsql as
    $$ begin raise exception '${auditRefusal}'; end $$`,
  `create trigger audit_refuses_change before update or truncate on audit
    for each statement execute function refuse_audit_change()`,
  `create function refuse_audit_delete() returns trigger language plpgsql as $$ begin
    if ${isPurged} then return old; end if;
    raise exception '${auditRefusal}'; end $$`,
  `create trigger audit_refuses_delete before delete on audit
    for each row execute function refuse_audit_delete()`,
];
