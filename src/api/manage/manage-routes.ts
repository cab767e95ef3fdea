/** /manage: what the owner of an account reads and changes, a file per group. */
import type { FastifyInstance } from 'fastify';
import { addAccountRoutes } from './account-routes.ts';
import { addFolderRoutes } from './folder-routes.ts';
import { addKeyRoutes } from './key-routes.ts';
import { addLedgerRoutes, type LedgerParts } from './ledger-routes.ts';
import { addPackageRoutes } from './package-routes.ts';
import { addPublicationRoutes } from './publication-routes.ts';
import { addThumbnailRoutes } from './thumbnail-routes.ts';
import { addVideoRoutes } from './video-routes.ts';

export async function addManageRoutes(app: FastifyInstance, parts: LedgerParts): Promise<void> {
  await app.register(async (scope) => {
    takeJsonOnly(scope);
    addAccountRoutes(scope, parts);
    addKeyRoutes(scope, parts);
    addFolderRoutes(scope, parts);
    addVideoRoutes(scope, parts);
    addThumbnailRoutes(scope, parts);
    addPackageRoutes(scope, parts);
    addPublicationRoutes(scope, parts);
    addLedgerRoutes(scope, parts);
  });
}

/** Many clients name a content type also where they send nothing: that is no bad JSON. */
function takeJsonOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  const parse = scope.getDefaultJsonParser('error', 'error');
  const options = { parseAs: 'string' } as const;
  scope.addContentTypeParser('application/json', options, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, String(body), done);
  });
}
