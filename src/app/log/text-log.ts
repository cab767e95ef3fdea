/** The log for people: an instant, the level as a word, the message, and what is known beside. */
import type { DestinationStream } from 'pino';

const words: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};
/** The process and its machine are known to whoever reads text. */
const leftOut = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);

/** Turns each JSON line into text. Only what begins in the first column is a line of the log. */
export function logAsText(stream: DestinationStream): DestinationStream {
  return { write: (line) => stream.write(textOf(JSON.parse(line) as Line)) };
}

interface Line extends Readonly<Record<string, unknown>> {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

function textOf({ level, time, msg = '', err, ...line }: Line): string {
  const about = Object.entries(line)
    .filter(([name]) => !leftOut.has(name))
    .map(([name, value]) => ` ${plain(name)}=${shownValue(value)}`);
  const word = words[level] ?? String(level);
  const head = `${new Date(time).toISOString()} ${word.padEnd(5)} ${plain(msg)}${about.join('')}`;
  const stack = (err?.stack ?? err?.message ?? '').split('\n').filter((part) => part !== '');
  return [head, ...stack.map((part) => `    ${plain(part.trim())}`)].join('\n').concat('\n');
}

function shownValue(value: unknown): string {
  if (typeof value === 'string' && /^[\w.:/@-]+$/.test(value)) return value;
  return plain(JSON.stringify(value));
}

/** What a terminal would act on, or what would begin a new line, is shown as its code. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (control) => {
    const code = control.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
