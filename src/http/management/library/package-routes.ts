import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Package } from '../../../catalog/catalog.ts';
import { accepted, found } from '../../../operations/refusal-faults.ts';
import { PackageChanges, PackageFields } from '../../../wire/library/video-fields.ts';
import {
  PackageList,
  PackageRecord,
  PageRequest,
  WholePackage,
} from '../../../wire/management-messages.ts';
import { pageOf } from '../list-page.ts';
import { addManageRoute, type ManageParts } from '../management-route.ts';

const url = '/manage/v1/packages';
const path = Type.Object({ packageId: PackageRecord.properties.packageId });
const answers = { 200: PackageRecord };
const ofPlayback =
  'If `allowedOrigins` lists any sites, playback that browsers report from others is refused ' +
  'with the code `ORIGIN`. Players outside a web page send no origin and are always accepted. ' +
  '`signing` says what happens to playback without a token from your server.';

export function addPackageRoutes(app: FastifyInstance, parts: ManageParts): void {
  const list = {
    method: 'GET',
    operationId: 'managePackages',
    summary: 'List all packages',
  } as const;
  addManageRoute(
    app,
    parts,
    { ...list, url, query: PageRequest, answers: { 200: PackageList } },
    async ({ caller, catalog, query }) => {
      const packages = await catalog.packages.list(caller.accountId);
      return { status: 200, body: pageOf(packages.map(recordOf), query) };
    },
  );

  const add = { method: 'POST', operationId: 'addPackage', summary: 'Add a package' } as const;
  addManageRoute(
    app,
    parts,
    { ...add, url, description: ofPlayback, body: PackageFields, answers: { 201: PackageRecord } },
    async ({ caller, catalog, body }) => ({
      status: 201,
      body: recordOf(accepted(await catalog.packages.create(caller.accountId, body))),
    }),
  );

  addOnePackage(app, parts);
}

function addOnePackage(app: FastifyInstance, parts: ManageParts): void {
  const one = { url: `${url}/:packageId`, path };
  const read = { method: 'GET', operationId: 'managePackage', summary: 'Get a package' } as const;
  addManageRoute(app, parts, { ...one, ...read, answers }, async ({ caller, catalog, path }) => {
    const one = await catalog.packages.find(caller.accountId, path.packageId);
    return { status: 200, body: recordOf(found(one, 'NO_PACKAGE')) };
  });

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'PUT',
      operationId: 'putPackage',
      summary: 'Replace a package',
      description: `Fields left out are set as in a new package. ${ofPlayback}`,
      body: WholePackage,
      answers,
    },
    async ({ caller, catalog, path, body }) => {
      const whole = { packageType: 'VOD', allowedOrigins: [], signing: 'open', ...body } as const;
      const after = accepted(
        await catalog.packages.change(caller.accountId, path.packageId, whole),
      );
      return { status: 200, body: recordOf(after) };
    },
  );

  const patch = {
    method: 'PATCH',
    operationId: 'changePackage',
    summary: 'Change a package',
  } as const;
  addManageRoute(
    app,
    parts,
    { ...one, ...patch, description: ofPlayback, body: PackageChanges, answers },
    async ({ caller, catalog, path, body }) => ({
      status: 200,
      body: recordOf(
        accepted(await catalog.packages.change(caller.accountId, path.packageId, body)),
      ),
    }),
  );

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'DELETE',
      operationId: 'deletePackage',
      summary: 'Delete a package',
      description:
        'Players can no longer report under any `videoKey` in it. Its statistics are kept.',
      answers: { 204: null },
    },
    async ({ caller, catalog, path }) => {
      accepted(await catalog.packages.delete(caller.accountId, path.packageId));
      return { status: 204 };
    },
  );
}

function recordOf({ accountId: _, ...record }: Package) {
  return record;
}
