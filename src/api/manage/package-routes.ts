import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Package } from '../../catalog/catalog.ts';
import { Fault } from '../../wire/faults.ts';
import { PackageList, PackageRecord, PageRequest } from '../../wire/managing.ts';
import { PackageChanges, PackageFields } from '../../wire/video-fields.ts';
import { addManageRoute, type ManageParts } from './manage-route.ts';
import { pageOf } from './page-of.ts';

const url = '/manage/v1/packages';
const path = Type.Object({ packageId: PackageRecord.properties.packageId });
const answers = { 200: PackageRecord };
const ofOrigins =
  'Where `allowedOrigins` names any, playback that a browser reports from other sites is refused ' +
  'with the reason `ORIGIN`. Players that are no web pages name no origin, and are taken.';

export function addPackageRoutes(app: FastifyInstance, parts: ManageParts): void {
  const list = { method: 'GET', operationId: 'managePackages', summary: 'All packages' } as const;
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
    { ...add, url, description: ofOrigins, body: PackageFields, answers: { 201: PackageRecord } },
    async ({ caller, catalog, body }) => ({
      status: 201,
      body: recordOf(await catalog.packages.create(caller.accountId, body)),
    }),
  );

  addOnePackage(app, parts);
}

function addOnePackage(app: FastifyInstance, parts: ManageParts): void {
  const one = { url: `${url}/:packageId`, path };
  const read = { method: 'GET', operationId: 'managePackage', summary: 'A package' } as const;
  addManageRoute(app, parts, { ...one, ...read, answers }, async ({ caller, catalog, path }) => {
    const found = await catalog.packages.find(caller.accountId, path.packageId);
    if (!found) throw new Fault('NOT_FOUND', 'There is no such package');
    return { status: 200, body: recordOf(found) };
  });

  addManageRoute(
    app,
    parts,
    {
      ...one,
      method: 'PUT',
      operationId: 'putPackage',
      summary: 'Make a package as given',
      description: `What is left out is as in a new package. ${ofOrigins}`,
      body: PackageFields,
      answers,
    },
    async ({ caller, catalog, path, body }) => {
      const whole = { packageType: 'VOD', allowedOrigins: [], ...body };
      const after = await catalog.packages.change(caller.accountId, path.packageId, whole);
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
    { ...one, ...patch, description: ofOrigins, body: PackageChanges, answers },
    async ({ caller, catalog, path, body }) => ({
      status: 200,
      body: recordOf(await catalog.packages.change(caller.accountId, path.packageId, body)),
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
      description: 'Retires every `videoKey` in it. Its statistics are kept.',
      answers: { 204: null },
    },
    async ({ caller, catalog, path }) => {
      await catalog.packages.delete(caller.accountId, path.packageId);
      return { status: 204 };
    },
  );
}

function recordOf({ packageId, packageName, packageType, allowedOrigins }: Package) {
  return { packageId, packageName, packageType, allowedOrigins };
}
