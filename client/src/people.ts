/** The people of an account, and what whoever is signed in changes of themselves. */
import type { CallOptions } from './connection.ts';
import type {
  EmailChange,
  InvitationFields,
  InvitationList,
  InvitationsParameters,
  Member,
  MemberFields,
  MemberList,
  MembersParameters,
  NewInvitation,
  NewSecondFactor,
  OwnPerson,
  OwnSessionsParameters,
  PasswordChange,
  Person,
  PersonChanges,
  RecoveryCodes,
  SecondFactorRemoval,
  SecondFactorStart,
  SessionList,
} from './interface.ts';
import type { ManagementCalls } from './management-calls.ts';

export interface People {
  members(page?: MembersParameters, options?: CallOptions): Promise<MemberList>;
  changeMember(personId: number, fields: MemberFields, options?: CallOptions): Promise<Member>;
  removeMember(personId: number, options?: CallOptions): Promise<void>;
  /** To the member's own address: nobody else sees the link for a new password. */
  sendReset(personId: number, options?: CallOptions): Promise<void>;
  /** Those that nobody has accepted yet. */
  invitations(page?: InvitationsParameters, options?: CallOptions): Promise<InvitationList>;
  /** Only this answer has the link, as its `path` after the URL of the service. */
  invite(fields: InvitationFields, options?: CallOptions): Promise<NewInvitation>;
  revokeInvitation(invitationId: number, options?: CallOptions): Promise<void>;
  /** From here on of the person who is signed in: no key may. */
  ownPerson(options?: CallOptions): Promise<OwnPerson>;
  changeOwnPerson(changes: PersonChanges, options?: CallOptions): Promise<Person>;
  changeOwnPassword(change: PasswordChange, options?: CallOptions): Promise<void>;
  /** Sends a link to the new address, which is used once that is followed. */
  changeOwnEmail(change: EmailChange, options?: CallOptions): Promise<void>;
  ownSessions(page?: OwnSessionsParameters, options?: CallOptions): Promise<SessionList>;
  endOwnSession(sessionId: number, options?: CallOptions): Promise<void>;
  /** Nothing is asked for until it is confirmed by a code. */
  startSecondFactor(by?: SecondFactorStart, options?: CallOptions): Promise<NewSecondFactor>;
  confirmSecondFactor(code: string, options?: CallOptions): Promise<RecoveryCodes>;
  removeSecondFactor(by: SecondFactorRemoval, options?: CallOptions): Promise<void>;
}

const me = '/people/me';

export function peopleOf({ get, add, send, change, remove }: ManagementCalls): People {
  return {
    members: (page, options) => get('/members', page, options),
    changeMember: (id, fields, options) => change('PUT', `/members/${id}`, fields, options),
    removeMember: (id, options) => remove(`/members/${id}`, options),
    sendReset: (id, options) => send(`/members/${id}/reset`, {}, options),
    invitations: (page, options) => get('/invitations', page, options),
    invite: (fields, options) => add('/invitations', fields, options),
    revokeInvitation: (id, options) => remove(`/invitations/${id}`, options),
    ownPerson: (options) => get(me, {}, options),
    changeOwnPerson: (changes, options) => change('PATCH', me, changes, options),
    changeOwnPassword: (fields, options) => change('PUT', `${me}/password`, fields, options),
    changeOwnEmail: (fields, options) => change('PUT', `${me}/email`, fields, options),
    ownSessions: (page, options) => get(`${me}/sessions`, page, options),
    endOwnSession: (id, options) => remove(`${me}/sessions/${id}`, options),
    startSecondFactor: (by = {}, options) => send(`${me}/second-factor`, by, options),
    confirmSecondFactor: (code, options) => change('PUT', `${me}/second-factor`, { code }, options),
    removeSecondFactor: (by, options) => send(`${me}/second-factor/removal`, by, options),
  };
}
