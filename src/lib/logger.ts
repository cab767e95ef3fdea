import type { Logger as PinoLogger } from 'pino';

/** Structured logging: fields first, then a message that never changes. No secrets in either. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;
