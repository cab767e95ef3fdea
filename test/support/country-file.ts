/** A small MMDB file: one entry for the IPv4 addresses below 128.0.0.0, one for the others. */

type Entry = string | number | { readonly [name: string]: Entry };

interface CountryFile {
  readonly below: Entry;
  readonly above: Entry;
  readonly builtAtMs?: number;
}

export function countryFile({ below, above, builtAtMs = 0 }: CountryFile): Buffer {
  const lower = encode(below);
  const nodeCount = 1;
  // A record beyond the nodes points into the data, which begin 16 bytes after the tree.
  const left = nodeCount + 16;
  const records = Buffer.alloc(6);
  records.writeUIntBE(left, 0, 3);
  records.writeUIntBE(left + lower.length, 3, 3);
  const metadata = {
    node_count: nodeCount,
    record_size: 24,
    ip_version: 4,
    database_type: 'Country',
    build_epoch: Math.floor(builtAtMs / 1_000),
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
  };
  const mark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([
    ...[records, Buffer.alloc(16), lower, encode(above), mark, encode(metadata)],
  ]);
}

/** Types 7, 6 and 2 of the format: a map, a number of 32 bits, a text of at most 28 bytes. */
function encode(entry: Entry): Buffer {
  if (typeof entry === 'string') {
    return Buffer.concat([Buffer.from([(2 << 5) | entry.length]), Buffer.from(entry)]);
  }
  if (typeof entry === 'number') {
    const bytes = Buffer.alloc(5, (6 << 5) | 4);
    bytes.writeUInt32BE(entry, 1);
    return bytes;
  }
  const members = Object.entries(entry);
  const encoded = members.flatMap(([name, value]) => [encode(name), encode(value)]);
  return Buffer.concat([Buffer.from([(7 << 5) | members.length]), ...encoded]);
}
