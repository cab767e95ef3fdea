/** Types and codecs that columns of several tables have, and what all tables are set to. */

/**
 * What makes "acknowledged" true. Without any one of these, a power cut loses acknowledged rows or
 * leaves a store that does not open; old parts stay for longer than the kernel's write-back takes.
 */
export const durable = `fsync_after_insert = 1, fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1,
  old_parts_lifetime = 480`;

export const number = { type: 'UInt32' };
export const text = { type: 'LowCardinality(String)' };
/** Of facts, of which there are most; docs/decisions/codecs-of-facts.md. */
export const bits = 'T64, ZSTD';
export const slot = { type: "DateTime('UTC')", codec: 'Delta, ZSTD' };
