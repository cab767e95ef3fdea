/** /manage: what the owner of an account can read and change, a file per group. */
import type { FastifyInstance } from 'fastify';
import { addAccountRoutes } from './accounts/account-routes.ts';
import { addAuditRoutes } from './accounts/audit-routes.ts';
import { addKeyRoutes } from './accounts/key-routes.ts';
import { addLabelRoutes } from './accounts/label-routes.ts';
import { addMeRoutes, type MeParts } from './accounts/me-routes.ts';
import { addShareRoutes } from './accounts/share-routes.ts';
import { addSigningKeyRoutes, type SigningKeyParts } from './accounts/signing-key-routes.ts';
import { addDeliveryRoutes } from './alerts/delivery-routes.ts';
import { addRuleRoutes, type RuleParts } from './alerts/rule-routes.ts';
import { addFolderRoutes } from './library/folder-routes.ts';
import { addImportRoutes, type ImportParts } from './library/import-routes.ts';
import { addPackageRoutes } from './library/package-routes.ts';
import { addPublicationRoutes } from './library/publication-routes.ts';
import { addThumbnailRoutes } from './library/thumbnail-routes.ts';
import { addVideoRoutes } from './library/video-routes.ts';
import { addErasureRoutes, type ErasureParts } from './playback/erasure-routes.ts';
import { addLedgerRoutes, type LedgerParts } from './playback/ledger-routes.ts';
import { addSuspectRoutes, type SuspectParts } from './playback/suspect-routes.ts';

export interface ManageRoutesParts
  extends ErasureParts,
    ImportParts,
    LedgerParts,
    MeParts,
    RuleParts,
    SigningKeyParts,
    SuspectParts {}

export async function addManageRoutes(
  app: FastifyInstance,
  parts: ManageRoutesParts,
): Promise<void> {
  await app.register(async (scope) => {
    takeJsonOnly(scope);
    addAccountRoutes(scope, parts);
    addMeRoutes(scope, parts);
    addKeyRoutes(scope, parts);
    addSigningKeyRoutes(scope, parts);
    addFolderRoutes(scope, parts);
    addVideoRoutes(scope, parts);
    addImportRoutes(scope, parts);
    addThumbnailRoutes(scope, parts);
    addPackageRoutes(scope, parts);
    addPublicationRoutes(scope, parts);
    addLabelRoutes(scope, parts);
    addShareRoutes(scope, parts);
    addRuleRoutes(scope, parts);
    addDeliveryRoutes(scope, parts);
    addLedgerRoutes(scope, parts);
    addAuditRoutes(scope, parts);
    addSuspectRoutes(scope, parts);
    addErasureRoutes(scope, parts);
  });
}

/** Many clients name a content type even without a body: that is not bad JSON. */
function takeJsonOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  const parse = scope.getDefaultJsonParser('error', 'error');
  const options = { parseAs: 'string' } as const;
  scope.addContentTypeParser('application/json', options, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, String(body), done);
  });
}
