/** Where the service and its media are, as far as the configuration says. */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';

/** The folder of the media that this service serves itself. */
export function findContentFolder(config: Config): string {
  return join(config.DATA_DIR, 'content');
}

/** Where people reach the service: links in mails are of it. */
export function readPublicUrl({ PUBLIC_URL }: Config): string | undefined {
  return PUBLIC_URL?.replace(/\/+$/, '');
}

/** The service's URL as far as it is configured, for verbs that work while it may not run. */
export function findContent(config: Config) {
  const publicUrl = readPublicUrl(config) ?? ownUrl(config.HOST, config.PORT);
  return { contentFolder: findContentFolder(config), publicUrl };
}

/** The URL of this service on its own machine. */
export function ownUrl(listening: string, port: number): string {
  const isAny = listening === '0.0.0.0' || listening === '::';
  const host = isAny ? 'localhost' : listening.includes(':') ? `[${listening}]` : listening;
  return `http://${host}:${port}`;
}
