/** Finds the end and the status of each answer on one connection, without reading the content. */
const headEnd = '\r\n\r\n';
const lengthHeader = /content-length: *(\d+)/i;

export function createAnswerReader(onAnswer: (status: number) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const end = bytes.indexOf(headEnd);
      if (end === -1) break;
      const head = bytes.toString('latin1', 0, end);
      const length = Number(lengthHeader.exec(head)?.[1] ?? 0);
      const total = end + headEnd.length + length;
      if (bytes.length < total) break;
      onAnswer(Number(head.slice(9, 12)));
      bytes = bytes.subarray(total);
    }
    rest = bytes.length === 0 ? bytes : Buffer.from(bytes);
  };
}
