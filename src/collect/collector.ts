/** The way of a beacon: received -> draft -> facts -> spool -> answer. */
import type { Publication, Publications } from '../catalog/catalog.ts';
import type { StretchFact } from '../facts/facts.ts';
import type { Clock } from '../lib/clock.ts';
import type { Result } from '../lib/result.ts';
import type { Spool } from '../spool/spool.ts';
import type { Beacon, BeaconsAnswer } from '../wire/beacon.ts';
import type { AccountLedger, Outcome } from './account-ledger.ts';
import { checkAuthority } from './check-authority.ts';
import { checkForm } from './check-form.ts';
import type { CollectLedger } from './collect-ledger.ts';
import type { BeaconContext, BeaconDraft, Refusal, Sender, Step } from './draft.ts';
import { identifyVideo } from './identify-video.ts';
import { stepsToFacts, walk } from './walk.ts';

const steps: readonly Step<BeaconDraft, BeaconContext>[] = [
  checkAuthority,
  identifyVideo,
  ...stepsToFacts,
];

export interface Collector {
  /** To be awaited before a body is read, with the most beacons that may be in it; see Spool. */
  requireRoom(mostBeacons: number): Promise<() => void>;
  /** Resolves when all accepted beacons are durable; rejects with UNAVAILABLE: send all again. */
  collect(received: readonly unknown[], sender: Sender): Promise<BeaconsAnswer>;
}

interface CollectorOptions {
  readonly publications: Publications;
  readonly spool: Pick<Spool, 'add' | 'requireRoom'>;
  readonly ledger: CollectLedger;
  readonly accounts: Pick<AccountLedger, 'note'>;
  readonly clock: Clock;
}

export function createCollector(options: CollectorOptions): Collector {
  const { publications, spool, ledger, accounts, clock } = options;
  return {
    requireRoom: spool.requireRoom,
    async collect(received, sender) {
      ledger.received(received.length);
      const forms = received.map((beacon) => checkForm(beacon, sender));
      const nowMs = clock.now();
      const find = await lookUp(publications, forms, sender);
      const context: BeaconContext = { sender, nowMs, find };

      const facts: StretchFact[] = [];
      const rejected: BeaconsAnswer['rejected'] = [];
      const outcomes: Outcome[] = [];
      forms.forEach((form, index) => {
        const result = form.ok ? walk(steps, form.value, context) : form;
        if (result.ok) {
          facts.push(...result.value);
        } else {
          rejected.push({ index, ...result.reason });
        }
        const owner = form.ok ? form.value.publication?.accountId : undefined;
        const code = result.ok ? 'COUNTED' : result.reason.code;
        outcomes.push({ accountId: sender.accountId ?? owner, code });
      });

      const accepted = received.length - rejected.length;
      try {
        await spool.add(facts);
      } catch (fault) {
        ledger.unavailable(accepted);
        throw fault;
      } finally {
        for (const { code } of rejected) ledger.refused(code);
      }
      ledger.counted(accepted);
      accounts.note(outcomes);
      return { accepted, rejected };
    },
  };
}

/** Asks the catalog once for all the videos of a batch. */
async function lookUp(
  publications: Publications,
  forms: readonly Result<BeaconDraft, Refusal>[],
  { accountId }: Sender,
): Promise<BeaconContext['find']> {
  const videoKeys = new Set<string>();
  const byPair = new Map<string, Publication | undefined>();
  for (const form of forms) {
    if (!form.ok) continue;
    const { videoKey, accessKey, packageId } = form.value.beacon;
    if (videoKey !== undefined) videoKeys.add(videoKey);
    if (accountId === undefined || accessKey === undefined || packageId === undefined) continue;
    const pair = pairKey(accessKey, packageId);
    if (byPair.has(pair)) continue;
    byPair.set(pair, await publications.identifyWithin(accountId, accessKey, packageId));
  }
  const byVideoKey = await publications.identify(videoKeys);
  return ({ videoKey, accessKey = '', packageId = 0 }: Beacon) =>
    videoKey === undefined ? byPair.get(pairKey(accessKey, packageId)) : byVideoKey.get(videoKey);
}

function pairKey(accessKey: string, packageId: number): string {
  return `${packageId} ${accessKey}`;
}
