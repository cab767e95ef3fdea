/** The audience of a world's accounts, as beacons tell it: lengths, labels, and the oracles. */
import { Playmeter } from '../../client/src/index.ts';
import { AudienceOracle, type OracleVideo } from './audience-oracle.ts';
import type { AudienceAccount } from './audience-world.ts';
import { factOfWait, factsOfReported } from './facts-of-reported.ts';
import { isOfStretch, type Report, type WaitReport } from './oracle.ts';
import type { World } from './world.ts';

const declared = ['plan', 'team'];
/** Of an account's videos; 0: unknown. */
const lengthsMs = [60_000, 20_000, 0];

export interface ReportedAccount extends AudienceAccount {
  readonly oracle: AudienceOracle;
  readonly reports: readonly Report[];
}

export interface ReportedWorld {
  readonly accounts: readonly ReportedAccount[];
  record(...reports: readonly (Report | WaitReport)[]): void;
}

/** Of these accounts of the world, by their places. */
export async function createReportedWorld(
  world: World,
  places: readonly number[],
): Promise<ReportedWorld> {
  const made = await Promise.all(places.map((place) => createAccount(world, place)));
  return {
    accounts: made,
    record(...reports) {
      for (const report of reports) {
        const account = made.find(({ accountId }) => accountId === report.accountId);
        if (!account || (isOfStretch(report) && !report.reported)) continue;
        const { timeZone, videos, oracle } = account;
        const video = videos.find(({ accessKey }) => accessKey === report.accessKey);
        const about = { videoId: video?.videoId ?? 0, timeZone };
        if (isOfStretch(report)) {
          account.reports.push(report);
          if (report.reported) oracle.record(...factsOfReported(report, report.reported, about));
        } else oracle.record(factOfWait(report, about));
      }
    },
  };
}

async function createAccount(world: World, place: number) {
  const account = world.accounts[place];
  if (!account) throw new Error('no such account');
  const { accountId, key, timeZone } = account;
  const { manage } = new Playmeter({ url: world.url, key });
  const own = world.publications.filter((publication) => publication.account === account);
  const videos: OracleVideo[] = [];
  for (const [index, accessKey] of [...new Set(own.map((one) => one.accessKey))].entries()) {
    const lengthMs = lengthsMs[index] ?? 0;
    const { folderId, title } = await manage.changeVideo(accessKey, { duration: lengthMs });
    videos.push({ videoId: index + 1, accessKey, title: title ?? '', folderId, lengthMs });
  }
  for (const name of declared) await manage.addLabel({ name });
  const names = new Map<string, string>();
  for (const { folderId, folderName } of (await manage.folders()).list) {
    names.set(`folder ${folderId}`, folderName);
  }
  for (const { packageId, packageName } of (await manage.packages()).list) {
    names.set(`package ${packageId}`, packageName);
  }
  return {
    ...{ accountId, key, timeZone, videos },
    packages: [...new Set(own.map(({ packageId }) => packageId))],
    folders: [...new Set(videos.map(({ folderId }) => folderId))],
    oracle: new AudienceOracle(videos, names, declared),
    reports: [] as Report[],
  };
}
