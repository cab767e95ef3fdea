/** Accounts on a service that is a process of its own: by its command line and over HTTP only. */
import { Playmeter } from '../../client/src/index.ts';
import type { TestAccount } from './service.ts';
import type { ServiceProcess } from './service-process.ts';

const allScopes = 'stats:read,info:read,collect:write,manage';

/** A new account with a key of all scopes and a folder. */
export async function addProcessAccount(
  service: ServiceProcess,
  timeZone: string,
): Promise<TestAccount> {
  const named = ['--name', `In ${timeZone}`, '--time-zone', timeZone];
  const { accountId } = await service.run('account', 'create', ...named);
  const owned = ['--account', String(accountId), '--scopes', allScopes];
  const key = String((await service.run('key', 'create', ...owned)).key);
  const { manage } = new Playmeter({ url: service.url, key });
  // A service that runs for some minutes erases what is older.
  await manage.changeAccount({ factsMonths: 1_200 });
  const { folderId } = await manage.addFolder({ folderName: 'Films' });
  return {
    accountId: Number(accountId),
    timeZone,
    key,
    addPackage: async () => (await manage.addPackage({ packageName: 'Site' })).packageId,
    addVideo: async () => (await manage.addVideo({ folderId, title: 'Film' })).accessKey,
    publish: async (packageId, accessKey) => (await manage.publish(packageId, accessKey)).videoKey,
  };
}
