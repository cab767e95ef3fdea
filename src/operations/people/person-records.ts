import type { Invitation, Member, Membership, Person } from '../../catalog/catalog.ts';
import type {
  InvitationRecord,
  MemberRecord,
  PersonAccount,
  Person as PersonRecord,
} from '../../wire/management/people.ts';

export function toPersonRecord(person: Person): PersonRecord {
  const { personId, email, name, language, isOperator, hasPassword, hasSecondFactor } = person;
  return {
    ...{ personId, email: email ?? null, name, language },
    ...{ isOperator, hasPassword, hasSecondFactor },
  };
}

export function toPersonAccount(membership: Membership): PersonAccount {
  const { accountId, name, timeZone, role, packageIds } = membership;
  return { accountId, name, timeZone, role, packageIds: packageIds ? [...packageIds] : null };
}

export function toMemberRecord(member: Member): MemberRecord {
  const { personId, email, name, role, packageIds, hasSecondFactor, isByClaim } = member;
  return {
    ...{ personId, email: email ?? null, name, role },
    packageIds: packageIds ? [...packageIds] : null,
    ...{ hasSecondFactor, isByClaim, lastSeenAt: member.lastSeenAt?.toISOString() ?? null },
  };
}

export function toInvitationRecord(invitation: Invitation): InvitationRecord {
  const { invitationId, email, role, packageIds, createdBy, createdByName } = invitation;
  return {
    ...{ invitationId, email, role, packageIds: packageIds ? [...packageIds] : null },
    createdAt: invitation.createdAt.toISOString(),
    expiresAt: invitation.expiresAt.toISOString(),
    ...{ createdBy, createdByName },
  };
}
