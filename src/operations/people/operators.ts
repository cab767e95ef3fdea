/** What operators of the service do: accounts, and people who cannot come in. */
import Type from 'typebox';
import {
  email,
  NewAccountFields,
  Person,
  PersonAccount,
  personId,
} from '../../wire/management/people.ts';
import { createList, named, PageRequest } from '../../wire/management-messages.ts';
import { defineOperation, paginate } from '../operation.ts';
import { accepted, found } from '../refusal-faults.ts';
import { createEmailPath, createResetPath, resetShown } from './person-links.ts';
import { toPersonRecord } from './person-records.ts';

const linkAnswer = (title: string) =>
  Type.Object(
    {
      path: Type.String({
        description: 'The link, after the URL of the service; shown only in this answer',
      }),
    },
    named(title),
  );

export const operators = [
  defineOperation({
    ...{ method: 'POST', url: '/manage/v1/accounts', operationId: 'addAccount' },
    role: 'operator',
    summary: 'Create an account, as an operator of the service',
    description: 'Whoever creates it is its first owner.',
    body: NewAccountFields,
    answers: { 201: PersonAccount },
    audit: ['ACCOUNT_CREATED', 'MEMBER_ADDED'],
    serve: async ({ catalog, service, body }) => {
      const { personId } = service.signedPerson();
      const { accountId, name, timeZone } = accepted(await catalog.accounts.create(body));
      const owner = { accountId, personId, role: 'owner' as const, packageIds: undefined };
      accepted(await catalog.memberships.put(owner));
      return { ...{ accountId, name, timeZone }, role: 'owner' as const, packageIds: null };
    },
  }),

  defineOperation({
    ...{ method: 'GET', url: '/manage/v1/people', operationId: 'people' },
    role: 'operator',
    summary: 'List all people, as an operator of the service',
    description: 'Where they are members is not shown.',
    query: PageRequest,
    answers: { 200: createList('PersonList', Person) },
    serve: async ({ catalog, query }) =>
      paginate((await catalog.people.list()).map(toPersonRecord), query),
  }),

  defineOperation({
    ...{ method: 'POST', url: '/manage/v1/people/:personId/reset', operationId: 'createReset' },
    role: 'operator',
    isNotKept: true,
    summary: 'Get a link by which a person sets a new password',
    description:
      'It works once, within 30 minutes, and leaves a second factor as it is. It is in the audit ' +
      'of the service as well.',
    path: Type.Object({ personId }),
    answers: { 200: linkAnswer('ResetLink') },
    audit: ['RESET_SHOWN'],
    serve: async ({ catalog, path }) => {
      found(await catalog.people.find(path.personId), 'NO_PERSON');
      return { path: await createResetPath(catalog, path.personId, resetShown) };
    },
  }),

  defineOperation({
    ...{ method: 'POST', url: '/manage/v1/people/:personId/email', operationId: 'createEmailLink' },
    role: 'operator',
    isNotKept: true,
    summary: 'Get a link that changes the mail address of a person',
    description: 'It works once, within 30 minutes; until it is followed, nothing changes.',
    path: Type.Object({ personId }),
    body: Type.Object({ email }, named('NewEmail')),
    answers: { 200: linkAnswer('EmailLink') },
    audit: ['EMAIL_CHANGE_STARTED'],
    serve: async ({ catalog, path: { personId }, body: { email } }) => ({
      path: await createEmailPath(catalog, personId, email),
    }),
  }),
];
