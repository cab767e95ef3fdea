/** Splits a stream of bytes into lines of bounded length. */
export interface Line {
  /** Undefined if the line is too long. */
  readonly text: string | undefined;
  /** Where the next line begins, counted in bytes from the beginning of the stream. */
  readonly nextAt: number;
}

/** Only the texts. */
export async function* readLines(
  bytes: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<string | undefined> {
  for await (const lines of readPlacedLines(bytes, maxLineBytes)) {
    for (const { text } of lines) yield text;
  }
}

/** All lines that end in one chunk of the stream at once: awaiting each would take longer. */
export async function* readPlacedLines(
  bytes: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<readonly Line[]> {
  let rest = Buffer.alloc(0);
  let skipping = false;
  let chunkAt = 0;
  for await (const chunk of bytes) {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const isTooLong = skipping || rest.length + end - from > maxLineBytes;
      const text = isTooLong ? undefined : joinText(rest, chunk, from, end);
      from = end + 1;
      rest = Buffer.alloc(0);
      skipping = false;
      lines.push({ text, nextAt: chunkAt + from });
    }
    yield lines;
    chunkAt += chunk.length;
    rest = skipping ? rest : Buffer.concat([rest, chunk.subarray(from)]);
    if (rest.length > maxLineBytes) {
      rest = Buffer.alloc(0);
      skipping = true;
    }
  }
  if (skipping) yield [{ text: undefined, nextAt: chunkAt }];
  else if (rest.length > 0) yield [{ text: rest.toString('utf8'), nextAt: chunkAt }];
}

function joinText(rest: Buffer, chunk: Buffer, from: number, end: number): string {
  if (rest.length === 0) return chunk.toString('utf8', from, end);
  return Buffer.concat([rest, chunk.subarray(from, end)]).toString('utf8');
}
