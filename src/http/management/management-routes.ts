/** /manage: what the owner of an account can read and change, a file per group. */
import type { FastifyInstance } from 'fastify';
import { type RuleContext, readAlert, readReport } from '../../alerts/rule-parser.ts';
import type { Sealer } from '../../lib/sealer.ts';
import type { ManagementOperation, OperationServices } from '../../operations/operation.ts';
import { operations } from '../../operations/operations.ts';
import { addAccountRoutes } from './accounts/account-routes.ts';
import { addAuditRoutes } from './accounts/audit-routes.ts';
import { addMeRoutes, type MeParts } from './accounts/me-routes.ts';
import { addImportRoutes, type ImportParts } from './library/import-routes.ts';
import { addPublicationRoutes } from './library/publication-routes.ts';
import { addThumbnailRoutes } from './library/thumbnail-routes.ts';
import { addVideoRoutes } from './library/video-routes.ts';
import { addOperation } from './management-route.ts';
import { addErasureRoutes, type ErasureParts } from './playback/erasure-routes.ts';
import { addLedgerRoutes, type LedgerParts } from './playback/ledger-routes.ts';
import { addSuspectRoutes, type SuspectParts } from './playback/suspect-routes.ts';

export interface ManageRoutesParts
  extends ErasureParts,
    ImportParts,
    LedgerParts,
    MeParts,
    SuspectParts {
  /** See createSigningSealer. */
  readonly signingSealer: Sealer;
  readonly ruleContext: RuleContext;
}

export async function addManageRoutes(
  app: FastifyInstance,
  parts: ManageRoutesParts,
): Promise<void> {
  const { signingSealer, ruleContext } = parts;
  const services: OperationServices = {
    signingSealer: async () => signingSealer,
    readAlert: async (fields, maker) => readAlert(fields, maker, ruleContext),
    readReport: async (fields, maker) => readReport(fields, maker, ruleContext),
  };
  await app.register(async (scope) => {
    takeJsonOnly(scope);
    const add = (subject: readonly ManagementOperation[]) => {
      for (const operation of subject) addOperation(scope, { ...parts, services }, operation);
    };
    addAccountRoutes(scope, parts);
    addMeRoutes(scope, parts);
    add(operations.apiKeys);
    add(operations.signingKeys);
    add(operations.folders);
    addVideoRoutes(scope, parts);
    addImportRoutes(scope, parts);
    addThumbnailRoutes(scope, parts);
    add(operations.packages);
    addPublicationRoutes(scope, parts);
    add(operations.labels);
    add(operations.shares);
    add(operations.rules);
    add(operations.deliveries);
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
