import { account } from './account.ts';
import { apiKeys } from './api-keys.ts';
import { audit, serviceAudit } from './audit.ts';
import { annotations } from './dashboard/annotations.ts';
import { savedViews } from './dashboard/saved-views.ts';
import { deliveries } from './deliveries.ts';
import { erasures } from './erasures.ts';
import { labels } from './labels.ts';
import { ledger } from './ledger.ts';
import { folders } from './library/folders.ts';
import { packages } from './library/packages.ts';
import { publications } from './library/publications.ts';
import { thumbnails } from './library/thumbnails.ts';
import { videoImports } from './library/video-imports.ts';
import { videos } from './library/videos.ts';
import type { ManagementOperation } from './operation.ts';
import { me } from './people/me.ts';
import { members } from './people/members.ts';
import { operators } from './people/operators.ts';
import { service } from './people/service.ts';
import { rules } from './rules.ts';
import { shares } from './shares.ts';
import { signingKeys } from './signing-keys.ts';
import { suspects } from './suspects.ts';

/** In the order of the OpenAPI document. */
export const operations: readonly ManagementOperation[] = [
  ...account,
  ...members,
  ...me,
  ...operators,
  ...service,
  ...apiKeys,
  ...signingKeys,
  ...folders,
  ...videos,
  ...videoImports,
  ...thumbnails,
  ...packages,
  ...publications,
  ...labels,
  ...shares,
  ...annotations,
  ...savedViews,
  ...rules,
  ...deliveries,
  ...ledger,
  ...audit,
  ...serviceAudit,
  ...suspects,
  ...erasures,
];
