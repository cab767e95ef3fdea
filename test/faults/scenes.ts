/** What is simulated: the two halves of what one service goes through, and a cluster. */
import type { ClusterFaultName } from './cluster-faults.ts';
import { openClusterStage } from './cluster-stage.ts';
import type { ServiceFaultName } from './service-faults.ts';
import { openServiceStage } from './service-stage.ts';
import type { Stage } from './stage.ts';

export interface Scene<Name extends string = string> {
  readonly name: string;
  /** Of all kills of the long form, the part that falls to it. */
  readonly share: number;
  /** Each of them, again and again, in orders that the seed shuffles. */
  readonly long: readonly Name[];
  /** The scenes that show the most in a few seconds. */
  readonly short: readonly Name[];
  /** A stage on which these may strike. */
  open(faults: readonly Name[]): Promise<Stage<Name>>;
}

const killedAndFrozen: Scene<ServiceFaultName> = {
  name: 'killed and frozen',
  share: 0.7,
  long: [
    'killEngine',
    'killService',
    'killBoth',
    'killAtStart',
    'freezeEngine',
    'freezeEngineLong',
    'killServiceOfFrozenEngine',
    'damageJournal',
  ],
  short: ['killEngine', 'killBoth', 'killAtStart', 'killServiceOfFrozenEngine', 'damageJournal'],
  open: openServiceStage,
};

const fullAndStepped: Scene<ServiceFaultName> = {
  name: 'a full disk, and the clock set',
  share: 0.3,
  long: [
    'fillDisk',
    'killEngineOnFullDisk',
    'killServiceOnFullDisk',
    'stepClockAhead',
    'stepClockBack',
    'killEngine',
    'killService',
  ],
  short: ['killEngineOnFullDisk', 'stepClockAhead', 'stepClockBack', 'killService'],
  open: openServiceStage,
};

const cluster: Scene<ClusterFaultName> = {
  name: 'a cluster, its parts killed and frozen, its clocks apart',
  share: 1,
  long: [
    'killShard',
    'killAllShards',
    'killNode',
    'killAllNodes',
    'killNodeAtStart',
    'killNodeOfFrozenShard',
    'killWorker',
    'killBalancer',
    'killPostgres',
    'killPostgresServer',
    'killPostgresProcess',
    'killAll',
    'freezeShard',
    'freezeShardLong',
    'freezeNode',
    'freezeNodeLong',
    'freezeWorker',
    'freezeBalancer',
    'freezePostgres',
    'freezePostgresLong',
    'freezePostgresProcess',
    'skewClocks',
  ],
  short: [
    'killShard',
    'killNode',
    'killWorker',
    'killBalancer',
    'killPostgres',
    'killPostgresProcess',
    'freezeShard',
    'freezeNode',
    'freezeBalancer',
    'freezePostgres',
    'skewClocks',
  ],
  open: openClusterStage,
};

export const scenesOfService: readonly Scene[] = [killedAndFrozen, fullAndStepped];
export const scenesOfCluster: readonly Scene[] = [cluster];
