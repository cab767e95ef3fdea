/** Cuts a stream of bytes into lines of bounded length; a longer one comes as undefined. */
export async function* readLines(
  bytes: AsyncIterable<Buffer>,
  maxLineBytes: number,
): AsyncGenerator<string | undefined> {
  let rest = Buffer.alloc(0);
  let skipping = false;
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([rest, chunk.subarray(from, end)]);
      yield skipping || line.length > maxLineBytes ? undefined : line.toString('utf8');
      rest = Buffer.alloc(0);
      skipping = false;
      from = end + 1;
    }
    rest = skipping ? rest : Buffer.concat([rest, chunk.subarray(from)]);
    if (rest.length > maxLineBytes) {
      rest = Buffer.alloc(0);
      skipping = true;
    }
  }
  if (skipping) yield undefined;
  else if (rest.length > 0) yield rest.toString('utf8');
}
