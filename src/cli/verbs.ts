import { assert } from '../lib/assert.ts';
import { accountChange } from './accounts/account-change.ts';
import { accountCreate } from './accounts/account-create.ts';
import { accountList } from './accounts/account-list.ts';
import { auditList } from './accounts/audit-list.ts';
import { privacy } from './accounts/privacy.ts';
import { beaconsImport } from './import/beacons-import.ts';
import { demo } from './import/demo.ts';
import { videoImport } from './import/video-import.ts';
import { packageAdd } from './library/package-add.ts';
import { packagePause, packageResume } from './library/package-pause.ts';
import { packageRemove } from './library/package-remove.ts';
import { videoAdd } from './library/video-add.ts';
import { videoChange } from './library/video-change.ts';
import { videoDelete } from './library/video-delete.ts';
import { videoList } from './library/video-list.ts';
import { videoShow } from './library/video-show.ts';
import { backup, backupCheck, backupList } from './maintenance/backup.ts';
import { doctor } from './maintenance/doctor.ts';
import { erase } from './maintenance/erase.ts';
import { erasureList } from './maintenance/erasure-list.ts';
import { exportVerb } from './maintenance/export.ts';
import { migrate } from './maintenance/migrate.ts';
import { restore } from './maintenance/restore.ts';
import { verify } from './maintenance/verify.ts';
import { operationVerbs } from './operation-verb.ts';
import { suspectsAccept, suspectsRefuse } from './quarantine/suspects-decide.ts';
import { suspectsList } from './quarantine/suspects-list.ts';
import { concurrency } from './questions/concurrency.ts';
import { live } from './questions/live.ts';
import { query } from './questions/query.ts';
import { retention } from './questions/retention.ts';
import { openapi } from './service/openapi.ts';
import { serve } from './service/serve.ts';
import { version } from './service/version.ts';
import type { Verb } from './verb.ts';

/** In the order of the help. A verb of an operation is named by its words. */
const inOrder: readonly (Verb | string)[] = [
  serve,
  migrate,
  accountCreate,
  accountList,
  accountChange,
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
  'alert create',
  'alert list',
  'alert delete',
  'report create',
  'report list',
  'report delete',
  'delivery list',
  'delivery replay',
  auditList,
  'folder create',
  'folder list',
  'folder change',
  'folder delete',
  videoAdd,
  videoImport,
  videoList,
  videoShow,
  videoChange,
  videoDelete,
  'package create',
  'package list',
  'package change',
  packageAdd,
  packagePause,
  packageResume,
  packageRemove,
  'package delete',
  beaconsImport,
  query,
  retention,
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
