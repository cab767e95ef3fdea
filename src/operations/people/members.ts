/** The people of an account, and who is invited to it. */
import { Fault } from '../../vocabulary/faults.ts';
import {
  InvitationFields,
  InvitationList,
  InvitationPath,
  MemberFields,
  MemberList,
  MemberPath,
  MemberRecord,
  NewInvitationRecord,
} from '../../wire/management/people.ts';
import { PageRequest } from '../../wire/management-messages.ts';
import { parameterFault } from '../../wire/parameters.ts';
import { optional, required } from '../command-options.ts';
import { defineOperation, paginate } from '../operation.ts';
import { accepted, found } from '../refusal-faults.ts';
import { writePersonMail } from './mails.ts';
import { createResetPath, resetSent } from './person-links.ts';
import { toInvitationRecord, toMemberRecord } from './person-records.ts';

const url = '/manage/v1/members';
const invitationsUrl = '/manage/v1/invitations';

const personOption = required('personId', 'Person id, as shown by person list', 'ID');

export const members = [
  defineOperation({
    ...{ method: 'GET', url, operationId: 'members' },
    role: 'owner',
    summary: 'List the members of the account',
    query: PageRequest,
    answers: { 200: MemberList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.memberships.list(accountId)).map(toMemberRecord), query),
    commands: [
      {
        words: 'member list',
        summary: 'List the people of an account, with what each may do',
        options: {},
        show: ({ list }) => ({ json: { memberList: list }, lines: list.map(describe) }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'PUT', url: `${url}/:personId`, operationId: 'changeMember' },
    role: 'owner',
    summary: 'Set what a member may do',
    description:
      'From the next request on, on other nodes within a second. Of an analyst who is narrowed ' +
      'to packages, own shares of more than these are revoked, and own alerts and reports of ' +
      'more are paused. An account keeps an owner (`409`).',
    path: MemberPath,
    body: MemberFields,
    answers: { 200: MemberRecord },
    faults: ['CONFLICT'],
    audit: ['MEMBER_CHANGED'],
    run: async ({ accountId, catalog, path: { personId }, body }) => {
      // Whoever is no member comes by an invitation: to others they do not exist.
      found(await catalog.memberships.find({ accountId, personId }), 'NO_MEMBER');
      const { role, packageIds } = body;
      const standing = { role, packageIds: packageIds ?? undefined };
      const member = await catalog.memberships.put({ accountId, personId, ...standing });
      return toMemberRecord(accepted(member));
    },
    commands: [
      {
        words: 'member add',
        summary: 'Make a person a member of an account, or change what a member may do',
        options: {
          person: personOption,
          role: required('role', 'owner, manager or analyst', 'ROLE'),
          packages: {
            ...optional(
              'packageIds',
              'Of an analyst: packages that they see alone, separated by commas',
              'IDS',
            ),
            read: readPackages,
          },
        },
        run: async ({ accountId, catalog, path: { personId }, body: { role, packageIds } }) => {
          const standing = { role, packageIds: packageIds ?? undefined };
          const put = await catalog.memberships.put({ accountId, personId, ...standing });
          const member = toMemberRecord(accepted(put));
          return { json: { personId, role }, lines: [describe(member)] };
        },
      },
    ],
  }),

  defineOperation({
    ...{ method: 'DELETE', url: `${url}/:personId`, operationId: 'removeMember' },
    role: 'owner',
    summary: 'Remove a member',
    description:
      'Their sessions show nothing of the account from then on, on other nodes within a second. ' +
      'The shares of an analyst are revoked then, and their alerts and reports paused; what owners ' +
      'and managers made stays. An account keeps an owner (`409`).',
    path: MemberPath,
    answers: { 204: null },
    faults: ['CONFLICT'],
    audit: ['MEMBER_REMOVED'],
    run: async ({ accountId, catalog, path }) => {
      accepted(await catalog.memberships.remove({ accountId, ...path }));
      return path;
    },
    commands: [
      {
        words: 'member remove',
        summary: 'Remove a person from an account; a running service follows within a second',
        options: { person: personOption },
        show: ({ personId }) => ({
          json: { personId },
          lines: [`Person ${personId} is no longer a member`],
        }),
      },
    ],
  }),

  defineOperation({
    ...{ method: 'POST', url: `${url}/:personId/reset`, operationId: 'sendReset' },
    role: 'owner',
    isNotKept: true,
    summary: 'Have a link for a new password sent to a member',
    description: 'To their own address alone: nobody else sees the link. Needs `SMTP_URL`.',
    path: MemberPath,
    answers: { 204: null },
    faults: ['CONFLICT'],
    audit: ['RESET_SENT'],
    serve: async ({ accountId, catalog, service: { people }, path: { personId } }) => {
      const member = found(await catalog.memberships.find({ accountId, personId }), 'NO_MEMBER');
      if (people.sendMail === undefined) {
        throw new Fault('CONFLICT', 'No mail can be sent: set SMTP_URL and PUBLIC_URL');
      }
      await people.takeMail(accountId);
      if (member.email === undefined) {
        throw new Fault('CONFLICT', 'The member has no mail address');
      }
      if (!(await people.maySendLink('password', personId))) {
        throw new Fault('RATE_LIMITED', 'The member was just sent such links: wait a minute', {
          ...{ retryAfterSeconds: 60, limit: 'links for a person' },
        });
      }
      const path = await createResetPath(catalog, personId, resetSent);
      const to = { to: member.email, language: member.language };
      people.sendMail(writePersonMail('reset', to, { link: people.url + path }));
    },
  }),

  defineOperation({
    ...{ method: 'GET', url: invitationsUrl, operationId: 'invitations' },
    role: 'owner',
    summary: 'List the open invitations',
    query: PageRequest,
    answers: { 200: InvitationList },
    run: async ({ accountId, catalog, query }) =>
      paginate((await catalog.invitations.list(accountId)).map(toInvitationRecord), query),
  }),

  defineOperation({
    ...{ method: 'POST', url: invitationsUrl, operationId: 'invite' },
    role: 'owner',
    summary: 'Invite somebody to the account',
    description:
      'Only this answer contains the link, which works once, within 7 days. It is sent by mail ' +
      'too, in `language`, where `SMTP_URL` and `PUBLIC_URL` are set.',
    body: InvitationFields,
    answers: { 201: NewInvitationRecord },
    faults: ['NOT_FOUND'],
    audit: ['INVITATION_CREATED'],
    serve: async ({ accountId, catalog, service: { people }, body }) => {
      const { email, role, packageIds, language = 'en' } = body;
      if (people.sendMail) await people.takeMail(accountId);
      const account = found(await catalog.accounts.find(accountId), 'NO_ACCOUNT');
      const made = await catalog.invitations.create({
        ...{ accountId, email, role, packageIds: packageIds ?? undefined },
      });
      const { invitation, token } = accepted(made);
      const path = pathOfInvitation(token);
      const { inviterName: inviter } = invitation;
      const values = {
        account: account.name,
        link: people.url + path,
        ...(inviter && { inviter }),
      };
      const kind = inviter ? 'personalInvitation' : 'invitation';
      people.sendMail?.(writePersonMail(kind, { to: email, language }, values));
      const isMailed = people.sendMail !== undefined;
      return { ...toInvitationRecord(invitation), path, isMailed };
    },
  }),

  defineOperation({
    ...{
      method: 'DELETE',
      url: `${invitationsUrl}/:invitationId`,
      operationId: 'revokeInvitation',
    },
    role: 'owner',
    summary: 'Take an invitation back',
    path: InvitationPath,
    answers: { 204: null },
    audit: ['INVITATION_REVOKED'],
    run: async ({ accountId, catalog, path }) => {
      accepted(await catalog.invitations.revoke({ accountId, ...path }));
    },
  }),
];

/** After the URL of the service; the secret is in the fragment, which browsers do not send. */
export function pathOfInvitation(token: string): string {
  return `/#invitation=${token}`;
}

export function readPackages(text: string): number[] {
  const ids = text.split(',').map((one) => Number(one.trim()));
  if (ids.every((one) => Number.isSafeInteger(one) && one > 0)) return ids;
  throw parameterFault([{ parameter: 'packages', detail: 'must be ids, separated by commas' }]);
}

function describe({ personId, email, name, role, packageIds }: MemberRecord): string {
  const of = packageIds === null ? [] : [`packages ${packageIds.join(',')}`];
  return [personId, email ?? '', name, role, ...of].join('\t');
}
