import { accountChange } from './account-change.ts';
import { accountCreate } from './account-create.ts';
import { accountList } from './account-list.ts';
import { alertCreate } from './alert-create.ts';
import { auditList } from './audit-list.ts';
import { backup, backupCheck, backupList } from './backup.ts';
import { beaconsImport } from './beacons-import.ts';
import { concurrency } from './concurrency.ts';
import { deliveryList, deliveryReplay } from './delivery-verbs.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { erase } from './erase.ts';
import { erasureList } from './erasure-list.ts';
import { exportVerb } from './export.ts';
import { folderChange } from './folder-change.ts';
import { folderCreate } from './folder-create.ts';
import { folderDelete } from './folder-delete.ts';
import { folderList } from './folder-list.ts';
import { keyChange } from './key-change.ts';
import { keyCreate } from './key-create.ts';
import { keyList } from './key-list.ts';
import { keyRevoke } from './key-revoke.ts';
import { keyRotate } from './key-rotate.ts';
import { labelChange } from './label-change.ts';
import { labelCreate } from './label-create.ts';
import { labelDelete } from './label-delete.ts';
import { labelList } from './label-list.ts';
import { live } from './live.ts';
import { migrate } from './migrate.ts';
import { openapi } from './openapi.ts';
import { packageAdd } from './package-add.ts';
import { packageChange } from './package-change.ts';
import { packageCreate } from './package-create.ts';
import { packageDelete } from './package-delete.ts';
import { packageList } from './package-list.ts';
import { packagePause, packageResume } from './package-pause.ts';
import { packageRemove } from './package-remove.ts';
import { privacy } from './privacy.ts';
import { query } from './query.ts';
import { reportCreate } from './report-create.ts';
import { restore } from './restore.ts';
import { retention } from './retention.ts';
import { alertDelete, reportDelete } from './rule-delete.ts';
import { alertList, reportList } from './rule-list.ts';
import { serve } from './serve.ts';
import { shareCreate } from './share-create.ts';
import { shareList } from './share-list.ts';
import { shareRevoke } from './share-revoke.ts';
import { signingCreate } from './signing-create.ts';
import { signingDelete } from './signing-delete.ts';
import { signingList } from './signing-list.ts';
import { signingRotate } from './signing-rotate.ts';
import { suspectsAccept, suspectsRefuse } from './suspects-decide.ts';
import { suspectsList } from './suspects-list.ts';
import type { Verb } from './verb.ts';
import { verify } from './verify.ts';
import { version } from './version.ts';
import { videoAdd } from './video-add.ts';
import { videoChange } from './video-change.ts';
import { videoDelete } from './video-delete.ts';
import { videoImport } from './video-import.ts';
import { videoList } from './video-list.ts';
import { videoShow } from './video-show.ts';

/** Everything the command line can do, in the order of the help. A new verb is added here. */
export const verbs: readonly Verb[] = [
  serve,
  migrate,
  accountCreate,
  accountList,
  accountChange,
  keyCreate,
  keyList,
  keyChange,
  keyRotate,
  keyRevoke,
  signingCreate,
  signingList,
  signingRotate,
  signingDelete,
  labelCreate,
  labelList,
  labelChange,
  labelDelete,
  shareCreate,
  shareList,
  shareRevoke,
  alertCreate,
  alertList,
  alertDelete,
  reportCreate,
  reportList,
  reportDelete,
  deliveryList,
  deliveryReplay,
  auditList,
  folderCreate,
  folderList,
  folderChange,
  folderDelete,
  videoAdd,
  videoImport,
  videoList,
  videoShow,
  videoChange,
  videoDelete,
  packageCreate,
  packageList,
  packageChange,
  packageAdd,
  packagePause,
  packageResume,
  packageRemove,
  packageDelete,
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
