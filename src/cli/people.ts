/** People as the operator sees them: all of them, whatever their accounts. */
import type { Person } from '../catalog/catalog.ts';
import { writePersonMail } from '../operations/people/mails.ts';
import { pathOfInvitation, readPackages } from '../operations/people/members.ts';
import {
  createEmailPath,
  createResetPath,
  linkMinutes,
  resetShown,
} from '../operations/people/person-links.ts';
import { accepted, found } from '../operations/refusal-faults.ts';
import { Fault } from '../vocabulary/faults.ts';
import { type Language, languages } from '../vocabulary/languages.ts';
import { type MemberRole, memberRoles } from '../vocabulary/member-roles.ts';
import { type Arguments, WrongUsage } from './runner/arguments.ts';
import { accountOption, jsonOption, optionalOption, requiredOption } from './runner/options.ts';
import { withCatalog } from './runner/with-catalog.ts';
import type { Parts, Verb } from './verb.ts';

/** Of a person who was created: until somebody gives it to them. */
const firstLinkMs = 86_400_000;

const personOption = requiredOption('Person id, as shown by person list', 'ID');
const roleOption = requiredOption(memberRoles.join(', '), 'ROLE');
const packagesOption = optionalOption(
  'Of an analyst: packages that they see alone, separated by commas',
  'IDS',
);

export const personCreate: Verb = {
  words: 'person create',
  summary: 'Create a person, and a link by which they set a password; it is shown only once',
  options: {
    email: requiredOption('Mail address', 'ADDRESS'),
    name: requiredOption('Name', 'NAME'),
    language: { ...optionalOption('en or ko', 'LANGUAGE'), default: 'en' },
    operator: {
      type: 'boolean',
      description: 'Looks after the service: creates accounts, and links for new passwords',
    },
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const { personId, ...person } = accepted(
        await catalog.people.create({
          ...{ email: given.text('email'), name: given.text('name') },
          language: readLanguage(given),
          isOperator: given.flag('operator'),
        }),
      );
      const token = await catalog.sessions.createPersonLink(personId, firstLinkMs);
      const link = `${parts.content.publicUrl}/#reset=${token}`;
      const lines = [describe({ personId, ...person }), `Within a day, once: ${link}`];
      return { json: { personId, link }, lines };
    }),
};

export const personList: Verb = {
  words: 'person list',
  summary: 'List all people',
  options: { json: jsonOption },
  run: (_given, parts) =>
    withCatalog(parts, async (catalog) => {
      const people = await catalog.people.list();
      const personList = people.map(({ createdAt, lastSeenAt, email, ...person }) => ({
        ...{ ...person, email: email ?? null, createdAt: createdAt.toISOString() },
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
      }));
      return { json: { personList }, lines: people.map(describe) };
    }),
};

export const personInvite: Verb = {
  words: 'person invite',
  summary: 'Make a link by which somebody becomes a member of an account; it is shown only once',
  options: {
    account: accountOption,
    email: requiredOption('Mail address that is invited', 'ADDRESS'),
    role: roleOption,
    packages: packagesOption,
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const packageIds = given.has('packages') ? readPackages(given.text('packages')) : undefined;
      const { invitation, token } = accepted(
        await catalog.invitations.create({
          ...{ accountId: given.id('account'), email: given.text('email'), packageIds },
          role: readRole(given),
        }),
      );
      const link = parts.content.publicUrl + pathOfInvitation(token);
      const { invitationId } = invitation;
      return { json: { invitationId, link }, lines: [`Within 7 days, once: ${link}`] };
    }),
};

export const personReset: Verb = {
  words: 'person reset',
  summary: 'Make a link by which a person sets a new password; a second factor stays',
  options: { person: personOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const personId = given.id('person');
      found(await catalog.people.find(personId), 'NO_PERSON');
      const path = await createResetPath(catalog, personId, resetShown);
      return showLink(personId, path, parts);
    }),
};

export const personEmail: Verb = {
  words: 'person email',
  summary: 'Make a link that changes the mail address of a person, for where no mail is sent',
  options: {
    person: personOption,
    email: requiredOption('New mail address', 'ADDRESS'),
    json: jsonOption,
  },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const personId = given.id('person');
      const path = await createEmailPath(catalog, personId, given.text('email'));
      return showLink(personId, path, parts);
    }),
};

/** Here alone: who has the machine has everything anyway, and a link could be stolen. */
export const personRemoveFactor: Verb = {
  words: 'person remove-second-factor',
  summary: 'Remove the second factor of a person who lost app and recovery codes, and tell them',
  options: { person: personOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const personId = given.id('person');
      const person = found(await catalog.people.find(personId), 'NO_PERSON');
      if (!person.hasSecondFactor) {
        throw new Fault('CONFLICT', `${person.name} has no second factor`);
      }
      accepted(await catalog.people.removeSecondFactor(personId));
      const isMailed = await tell(person, parts);
      const told = isMailed ? 'was told by mail' : 'was not told by mail: tell them';
      const line = `Removed the second factor of ${person.name}, who ${told}`;
      return { json: { personId, isMailed }, lines: [line] };
    }),
};

async function tell({ email, language }: Person, parts: Parts): Promise<boolean> {
  const send = await parts.mailer();
  if (send === undefined || email === undefined) return false;
  const mail = writePersonMail(
    'factorRemoved',
    { to: email, language },
    { link: `${parts.content.publicUrl}/me` },
  );
  const failure = await send(mail);
  if (failure !== undefined) parts.complain(`The mail was not sent: ${failure}`);
  return failure === undefined;
}

export const personRemove: Verb = {
  words: 'person remove',
  summary: 'Remove a person from all accounts, with all sessions',
  options: { person: personOption, json: jsonOption },
  run: (given, parts) =>
    withCatalog(parts, async (catalog) => {
      const personId = given.id('person');
      accepted(await catalog.people.remove(personId));
      return { json: { personId }, lines: [`Removed person ${personId}`] };
    }),
};

function showLink(personId: number, path: string, parts: Parts) {
  const link = parts.content.publicUrl + path;
  return { json: { personId, link }, lines: [`Within ${linkMinutes} minutes, once: ${link}`] };
}

function readRole(given: Arguments): MemberRole {
  const role = memberRoles.find((one) => one === given.text('role'));
  if (role) return role;
  throw new WrongUsage(`--role must be one of ${memberRoles.join(', ')}`);
}

function readLanguage(given: Arguments): Language {
  const language = languages.find((one) => one === given.text('language'));
  if (language) return language;
  throw new WrongUsage(`--language must be one of ${languages.join(', ')}`);
}

function describe({ personId, email, name, isOperator }: Person): string {
  return [personId, email ?? '', name, ...(isOperator ? ['operator'] : [])].join('\t');
}
