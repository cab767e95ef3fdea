/** Cuts a stream of bytes into lines of bounded length. */
export interface Line {
  /** Undefined where the line is too long. */
  readonly text: string | undefined;
  /** Where the next line begins, counted in bytes from the beginning of the stream. */
  readonly nextAt: number;
}

/** The texts alone. */
export async function* readLines(
  bytes: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<string | undefined> {
  for await (const { text } of readPlacedLines(bytes, maxLineBytes)) yield text;
}

export async function* readPlacedLines(
  bytes: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0);
  let skipping = false;
  let chunkAt = 0;
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([rest, chunk.subarray(from, end)]);
      const isTooLong = skipping || line.length > maxLineBytes;
      from = end + 1;
      rest = Buffer.alloc(0);
      skipping = false;
      yield { text: isTooLong ? undefined : line.toString('utf8'), nextAt: chunkAt + from };
    }
    chunkAt += chunk.length;
    rest = skipping ? rest : Buffer.concat([rest, chunk.subarray(from)]);
    if (rest.length > maxLineBytes) {
      rest = Buffer.alloc(0);
      skipping = true;
    }
  }
  if (skipping) yield { text: undefined, nextAt: chunkAt };
  else if (rest.length > 0) yield { text: rest.toString('utf8'), nextAt: chunkAt };
}
