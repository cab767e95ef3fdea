import Type from 'typebox';
import type { Package } from '../../catalog/catalog.ts';
import { signingModes } from '../../vocabulary/view-token.ts';
import { PackageChanges, PackageFields, packageDefaults } from '../../wire/library/video-fields.ts';
import {
  PackageList,
  PackageRecord,
  PageRequest,
  WholePackage,
} from '../../wire/management-messages.ts';
import { optional, required } from '../command-options.ts';
import { defineOperation, paginate } from '../operation.ts';
import { accepted, found } from '../refusal-faults.ts';

const url = '/manage/v1/packages';
const one = {
  url: `${url}/:packageId`,
  path: Type.Object({ packageId: PackageRecord.properties.packageId }),
};
const answers = { 200: PackageRecord };
const whatCounts =
  'If `allowedOrigins` lists any sites, playback that browsers report from others is refused ' +
  'with the code `ORIGIN`. Players outside a web page send no origin and are always accepted. ' +
  '`signing` says what happens to playback without a token from your server.';

export const packageOption = required('packageId', 'Package id', 'ID');

export const packages = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'managePackages' },
    role: 'analyst',
    isPinned: true,
    summary: 'List all packages',
    query: PageRequest,
    answers: { 200: PackageList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.packages.list(accountId)).map(toRecord), query),
    commands: [
      {
        words: 'package list',
        summary: 'List the packages of an account',
        options: {},
        show: ({ list }) => {
          const packageList = list.map(({ packageId, packageName, packageType }) => ({
            ...{ packageId, packageName, packageType },
          }));
          return {
            json: { packageList },
            lines: packageList.map((each) => Object.values(each).join('\t')),
          };
        },
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url, operationId: 'addPackage' },
    role: 'manager',
    summary: 'Add a package',
    description: whatCounts,
    body: PackageFields,
    answers: { 201: PackageRecord },
    audit: ['PACKAGE_CREATED'],
    run: async ({ accountId, catalog, body }) =>
      toRecord(accepted(await catalog.packages.create(accountId, body))),
    commands: [
      {
        words: 'package create',
        summary: 'Create a distribution package',
        options: {
          name: required('packageName', 'Name of the package', 'P'),
          type: optional(
            'packageType',
            'Kind of package, in your own words (default: VOD)',
            'TYPE',
          ),
        },
        show: ({ packageId, packageName, packageType }) => ({
          json: { packageId },
          lines: [`Package ${packageId}: ${packageName} (${packageType})`],
        }),
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'GET', operationId: 'managePackage' },
    role: 'analyst',
    isPinned: true,
    summary: 'Get a package',
    answers,
    run: async ({ accountId, catalog, path }) =>
      toRecord(found(await catalog.packages.find(accountId, path.packageId), 'NO_PACKAGE')),
  }),

  defineOperation({
    ...{ ...one, method: 'PUT', operationId: 'putPackage' },
    role: 'manager',
    summary: 'Replace a package',
    description: `Fields left out are set as in a new package. ${whatCounts}`,
    body: WholePackage,
    answers,
    audit: ['PACKAGE_CHANGED'],
    run: async ({ accountId, catalog, path, body }) => {
      const whole = { ...packageDefaults, ...body };
      return toRecord(accepted(await catalog.packages.change(accountId, path.packageId, whole)));
    },
  }),

  defineOperation({
    ...{ ...one, method: 'PATCH', operationId: 'changePackage' },
    role: 'manager',
    summary: 'Change a package',
    description: whatCounts,
    body: PackageChanges,
    answers,
    audit: ['PACKAGE_CHANGED'],
    run: async ({ accountId, catalog, path, body }) =>
      toRecord(accepted(await catalog.packages.change(accountId, path.packageId, body))),
    commands: [
      {
        words: 'package change',
        summary: 'Change a package, and which playback it counts',
        options: {
          package: packageOption,
          name: optional('packageName', 'Name of the package', 'P'),
          type: optional('packageType', 'Kind of package, in your own words', 'TYPE'),
          'allowed-origins': optional(
            'allowedOrigins',
            'Sites whose playback is counted, separated by commas; empty: all',
            'LIST',
          ),
          signing: optional(
            'signing',
            'Without a valid token, playback is counted (open), set apart (prefer), refused (require)',
            signingModes.join('|'),
          ),
        },
        show: ({ packageId, packageName, packageType, allowedOrigins, signing }) => {
          const sites = allowedOrigins.length === 0 ? 'all sites' : allowedOrigins.join(', ');
          return {
            json: { packageId, packageName, packageType, allowedOrigins, signing },
            lines: [
              `Package ${packageId}: ${packageName} (${packageType}), counts ${sites}`,
              `Signed views: ${signing}`,
            ],
          };
        },
      },
    ],
  }),

  defineOperation({
    ...{ ...one, method: 'DELETE', operationId: 'deletePackage' },
    role: 'manager',
    summary: 'Delete a package',
    description:
      'Players can no longer report under any `videoKey` in it. Its statistics are kept.',
    answers: { 204: null },
    audit: ['PACKAGE_DELETED'],
    run: async ({ accountId, catalog, path: { packageId } }) => {
      accepted(await catalog.packages.delete(accountId, packageId));
      return { packageId };
    },
    commands: [
      {
        words: 'package delete',
        summary: 'Delete a package and retire its videoKeys; statistics are kept',
        options: { package: packageOption },
        show: ({ packageId }) => ({
          json: { packageId },
          lines: [`Deleted package ${packageId}`],
        }),
      },
    ],
  }),
];

function toRecord({ accountId: _, ...record }: Package) {
  return record;
}
