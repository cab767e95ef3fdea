/** Runs the service: listens, says where, and stops in order when told to. */
import type { AddressInfo } from 'node:net';
import type { Config } from './config.ts';
import { prepareFirstStart } from './first-start.ts';
import {
  contentFolderOf,
  openService,
  ownAddress,
  type Service,
  type Surroundings,
} from './service.ts';
import { Fault } from './wire/faults.ts';

const stopWithinMs = 20_000;

/** Resolves when the service was told to stop and has stopped. */
export async function serve(around: Surroundings, print: (line: string) => void): Promise<void> {
  const { config, logger } = around;
  const told = toldToStop();
  const service = await openService(around);
  try {
    await listen(service, config);
    const first = await prepareFirstStart(service.catalog, contentFolderOf(config));
    await Promise.race([service.facts.ready(), told]);
    const url = addressOf(service, config.PUBLIC_URL);
    print(`Playmeter is ready: ${url}`);
    if (first) {
      print(`  Account ${first.accountId}, API key (shown this once): ${first.key}`);
      print(
        `  Play a clip and watch the numbers: ${url}/watch/${first.videoKey}#key=${first.pageKey}`,
      );
    }
    const signal = await told;
    logger.info({ signal }, 'stopping');
  } finally {
    setTimeout(() => {
      logger.error('could not stop in time');
      process.exit(1);
    }, stopWithinMs).unref();
    await service.stop();
  }
}

/**
 * Connections that the system keeps until they are taken, unless it has a lower bound. A whole site
 * may come back at once; beyond the bound a player's system tries again only after seconds.
 */
const backlog = 4_096;

async function listen({ app }: Service, { HOST: host, PORT: port }: Config): Promise<void> {
  try {
    await app.listen({ host, port, backlog });
  } catch (cause) {
    throw new Fault('UNAVAILABLE', `Cannot listen on ${host}, port ${port}: set HOST or PORT`, {
      cause,
    });
  }
}

function toldToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
}

function addressOf({ app }: Service, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  const { address, port } = app.server.address() as AddressInfo;
  return ownAddress(address, port);
}
