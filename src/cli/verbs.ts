import { assert } from '../lib/assert.ts';
import { accountCreate, accountList, privacy } from './accounts.ts';
import { beaconsImport } from './import/beacons-import.ts';
import { demo } from './import/demo.ts';
import { videoImport } from './import/video-import.ts';
import { backup, backupCheck, backupList, restore } from './maintenance/backup.ts';
import { catalogMove } from './maintenance/catalog-move.ts';
import { doctor, verify } from './maintenance/checks.ts';
import { erase, erasureList } from './maintenance/erase.ts';
import { exportVerb } from './maintenance/export.ts';
import { migrate } from './maintenance/migrate.ts';
import { operationVerbs } from './operation-verb.ts';
import { packageAdd } from './package-add.ts';
import {
  personCreate,
  personEmail,
  personInvite,
  personList,
  personRemove,
  personRemoveFactor,
  personReset,
} from './people.ts';
import { concurrency, distribution, live, retention } from './questions/curves.ts';
import { query } from './questions/query.ts';
import { openapi, serve, version } from './service.ts';
import { suspectsAccept, suspectsList, suspectsRefuse } from './suspects.ts';
import type { Verb } from './verb.ts';

/** In the order of the help. A verb of an operation is named by its words. */
const inOrder: readonly (Verb | string)[] = [
  serve,
  migrate,
  catalogMove,
  accountCreate,
  accountList,
  'account change',
  'account close',
  'account reopen',
  personCreate,
  personList,
  personInvite,
  personReset,
  personEmail,
  personRemoveFactor,
  personRemove,
  'member add',
  'member list',
  'member remove',
  'key create',
  'key list',
  'key change',
  'key rotate',
  'key revoke',
  'signing create',
  'signing list',
  'signing rotate',
  'signing delete',
  'label create',
  'label list',
  'label change',
  'label delete',
  'share create',
  'share list',
  'share revoke',
  'annotation create',
  'annotation list',
  'annotation change',
  'annotation delete',
  'view create',
  'view list',
  'view change',
  'view delete',
  'alert create',
  'alert list',
  'alert pause',
  'alert resume',
  'alert delete',
  'report create',
  'report list',
  'report pause',
  'report resume',
  'report delete',
  'delivery list',
  'delivery replay',
  'audit list',
  'folder create',
  'folder list',
  'folder change',
  'folder delete',
  'video add',
  videoImport,
  'video list',
  'video show',
  'video change',
  'video delete',
  'package create',
  'package list',
  'package change',
  packageAdd,
  'package pause',
  'package resume',
  'package remove',
  'package delete',
  beaconsImport,
  query,
  retention,
  distribution,
  concurrency,
  live,
  exportVerb,
  suspectsList,
  suspectsAccept,
  suspectsRefuse,
  erase,
  erasureList,
  doctor,
  verify,
  backupList,
  backupCheck,
  backup,
  restore,
  demo,
  privacy,
  openapi,
  version,
];

/** Everything the command line can do. */
export const verbs: readonly Verb[] = inOrder.map((verb) => {
  const found = typeof verb === 'string' ? operationVerbs.get(verb) : verb;
  assert(found, `no operation has the verb ${verb}`);
  return found;
});
