import { accountChange } from './accounts/account-change.ts';
import { accountCreate } from './accounts/account-create.ts';
import { accountList } from './accounts/account-list.ts';
import { auditList } from './accounts/audit-list.ts';
import { labelChange } from './accounts/label-change.ts';
import { labelCreate } from './accounts/label-create.ts';
import { labelDelete } from './accounts/label-delete.ts';
import { labelList } from './accounts/label-list.ts';
import { privacy } from './accounts/privacy.ts';
import { alertCreate } from './alerts/alert-create.ts';
import { deliveryList, deliveryReplay } from './alerts/delivery-verbs.ts';
import { reportCreate } from './alerts/report-create.ts';
import { alertDelete, reportDelete } from './alerts/rule-delete.ts';
import { alertList, reportList } from './alerts/rule-list.ts';
import { beaconsImport } from './import/beacons-import.ts';
import { demo } from './import/demo.ts';
import { videoImport } from './import/video-import.ts';
import { keyChange } from './keys/key-change.ts';
import { keyCreate } from './keys/key-create.ts';
import { keyList } from './keys/key-list.ts';
import { keyRevoke } from './keys/key-revoke.ts';
import { keyRotate } from './keys/key-rotate.ts';
import { signingCreate } from './keys/signing-create.ts';
import { signingDelete } from './keys/signing-delete.ts';
import { signingList } from './keys/signing-list.ts';
import { signingRotate } from './keys/signing-rotate.ts';
import { folderChange } from './library/folder-change.ts';
import { folderCreate } from './library/folder-create.ts';
import { folderDelete } from './library/folder-delete.ts';
import { folderList } from './library/folder-list.ts';
import { packageAdd } from './library/package-add.ts';
import { packageChange } from './library/package-change.ts';
import { packageCreate } from './library/package-create.ts';
import { packageDelete } from './library/package-delete.ts';
import { packageList } from './library/package-list.ts';
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
import { suspectsAccept, suspectsRefuse } from './quarantine/suspects-decide.ts';
import { suspectsList } from './quarantine/suspects-list.ts';
import { concurrency } from './questions/concurrency.ts';
import { live } from './questions/live.ts';
import { query } from './questions/query.ts';
import { retention } from './questions/retention.ts';
import { openapi } from './service/openapi.ts';
import { serve } from './service/serve.ts';
import { version } from './service/version.ts';
import { shareCreate } from './shares/share-create.ts';
import { shareList } from './shares/share-list.ts';
import { shareRevoke } from './shares/share-revoke.ts';
import type { Verb } from './verb.ts';

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
