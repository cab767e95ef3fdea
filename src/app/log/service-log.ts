/** The log: JSON lines or text, and during an outage one line a second with the reason. */
import { type DestinationStream, type LogFn, pino } from 'pino';
import { type Config, secretSettings } from '../../config/config.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';

const outageEveryMs = 1_000;

interface LogOptions {
  readonly level: string;
  /** Default: JSON. */
  readonly format?: 'json' | 'text';
  readonly clock: Clock;
  readonly stream: DestinationStream;
}

/**
 * Every part affected by an outage logs it, several times a second, with the same fault. Only one a
 * second is written, with its reason instead of a stack, which would not point at a bug.
 */
export function createLog({ level, format, clock, stream }: LogOptions): Logger & pino.Logger {
  let writtenAt = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  function logMethod(this: pino.Logger, given: Parameters<LogFn>, log: LogFn): void {
    const [fields, ...rest] = given as unknown as [unknown, ...unknown[]];
    const outage = outageIn(fields);
    if (!outage) {
      log.apply(this, given);
      return;
    }
    const now = clock.monotonic();
    if (now - writtenAt < outageEveryMs) {
      leftOut += 1;
      return;
    }
    const { err: _, ...others } = fields as { err: Fault };
    const lines = { ...others, reason: findReason(outage), ...(leftOut > 0 && { leftOut }) };
    log.apply(this, [lines, ...rest] as unknown as Parameters<LogFn>);
    writtenAt = now;
    leftOut = 0;
  }
  const written = format === 'text' ? logAsText(stream) : stream;
  return pino({ level, hooks: { logMethod } }, written);
}

function outageIn(fields: unknown): Fault | undefined {
  const error = typeof fields === 'object' && fields !== null && 'err' in fields && fields.err;
  return error instanceof Fault && error.code === 'UNAVAILABLE' ? error : undefined;
}

/** The messages of the fault and of its causes. */
function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A failure to connect to several IP addresses has a message for each, and none of its own.
  const own = error.message || ('code' in error ? String(error.code) : error.name);
  return error.cause === undefined ? own : `${own}: ${findReason(error.cause)}`;
}

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
function logAsText(stream: DestinationStream): DestinationStream {
  return { write: (line) => stream.write(formatLine(JSON.parse(line) as Line)) };
}

interface Line extends Readonly<Record<string, unknown>> {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

function formatLine({ level, time, msg = '', err, ...line }: Line): string {
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

type Shown = Readonly<Record<string, string | number>>;

/**
 * The configuration as the log shows it: without anything secret. All settings that have a value;
 * of a secret one only that it has.
 */
export function shownConfig(config: Config): Shown {
  const shown = Object.entries(config).map(([name, value]) => {
    if (secretSettings.has(name)) return [name, value === '' ? '' : 'set'];
    return [name, typeof value === 'string' ? withoutCredentials(value) : value];
  });
  return Object.fromEntries(shown) as Shown;
}

/** URLs may carry a user with a password, and parameters such as a password too. */
function withoutCredentials(value: string): string {
  if (!value.includes('://')) return value;
  // A comma may be of a password: only one that another URL follows divides.
  return value
    .split(/,(?=[a-z][a-z0-9+.-]*:\/\/)/i)
    .map(redactUrl)
    .join(',');
}

function redactUrl(value: string): string {
  if (!URL.canParse(value)) return 'set';
  const { protocol, host, pathname } = new URL(value);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
