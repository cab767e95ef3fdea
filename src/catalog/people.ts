/** What the catalog keeps of people: who they are, where they are members, and how they sign in. */
import type { Result } from '../lib/result.ts';
import type { Language } from '../vocabulary/languages.ts';
import type { MemberRole } from '../vocabulary/member-roles.ts';
import type { CatalogRefusal } from './refusal.ts';

type Outcome<Value> = Promise<Result<Value, CatalogRefusal>>;

export interface Person {
  readonly personId: number;
  /** Undefined where a provider gave none. */
  readonly email: string | undefined;
  readonly name: string;
  readonly language: Language;
  readonly isOperator: boolean;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  readonly createdAt: Date;
  /** To the minute; at once when they sign in, otherwise written a few seconds later. */
  readonly lastSeenAt: Date | undefined;
}

/** What a person may do in an account. */
export interface Standing {
  readonly role: MemberRole;
  /** Of a narrowed analyst: the packages to which all is pinned; undefined: the whole account. */
  readonly packageIds: readonly number[] | undefined;
}

/** One account of a person. */
export interface Membership extends Standing {
  readonly accountId: number;
  /** Of the account. */
  readonly name: string;
  readonly timeZone: string;
  readonly changedAt: Date;
}

/** One person of an account. */
export interface Member extends Standing, Person {
  readonly isByClaim: boolean;
}

export interface MemberName {
  readonly accountId: number;
  readonly personId: number;
}

/** Whoever is signed in, with all accounts they are a member of. */
export interface SignedPerson extends Person {
  readonly sessionId: number;
  readonly memberships: readonly Membership[];
}

/** By what a person shows that they are the one. Never shown. */
export interface Credentials {
  readonly personId: number;
  readonly name: string;
  readonly email: string | undefined;
  readonly language: Language;
  readonly passwordHash: string | undefined;
  /** Undefined if there is none, or it was not confirmed. */
  readonly sealedSecondFactor: Uint8Array | undefined;
}

/** From where a session was begun, as its person reads it. */
export interface SessionPlace {
  /** Browser and system. */
  readonly device: string;
  readonly address: string;
  /** ISO 3166-1; empty: not known. */
  readonly country: string;
}

export interface PersonSession extends SessionPlace {
  readonly sessionId: number;
  readonly createdAt: Date;
  readonly usedAt: Date;
  readonly expiresAt: Date;
}

export interface BegunSession {
  /** Only this answer contains it; its hash is stored. */
  readonly token: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Whether the person has no other session of its device and country. */
  readonly isNewPlace: boolean;
}

export interface NewPerson {
  readonly email: string | undefined;
  readonly name: string;
  readonly language: Language;
}

/** What a person may change of themselves. */
export interface PersonChanges {
  readonly name?: string | undefined;
  readonly language?: Language | undefined;
}

export interface SecondFactorUse {
  readonly personId: number;
  /** Of the time step that it is of. */
  readonly step: number;
}

export interface People {
  /** Whether there is anybody. */
  exist(): Promise<boolean>;
  list(): Promise<Person[]>;
  find(personId: number): Promise<Person | undefined>;
  /** Whatever the case of the address. */
  findByEmail(email: string): Promise<Person | undefined>;
  /** Refused if somebody has the address. */
  create(person: NewPerson & { readonly isOperator?: boolean }): Outcome<Person>;
  change(personId: number, changes: PersonChanges): Outcome<Person>;
  /** With all sessions and memberships; refused to the last owner of an account. */
  remove(personId: number): Outcome<void>;
  credentialsByEmail(email: string): Promise<Credentials | undefined>;
  credentials(personId: number): Promise<Credentials | undefined>;
  /** Ends all sessions but the one that is kept, and voids links. */
  setPassword(personId: number, passwordHash: string, keptSessionId?: number): Outcome<void>;
  /** In place of any that was not confirmed; refused while there is one that was. */
  prepareSecondFactor(personId: number, sealed: Uint8Array): Outcome<void>;
  /** The one that was prepared, sealed. */
  preparedSecondFactor(personId: number): Promise<Uint8Array | undefined>;
  /** From now on it is asked for. The codes each stand in for it once. */
  confirmSecondFactor(use: SecondFactorUse, codeHashes: readonly string[]): Outcome<void>;
  removeSecondFactor(personId: number): Outcome<void>;
  /** False if a code of this step, or of a later one, was used before. */
  useSecondFactor(use: SecondFactorUse): Promise<boolean>;
  /** False if it is unknown or was used before. */
  useRecoveryCode(personId: number, codeHash: string): Promise<boolean>;
  countRecoveryCodes(personId: number): Promise<number>;
  /** The person of an identity of a provider. */
  findByIdentity(identity: PersonIdentity): Promise<Person | undefined>;
  bindIdentity(personId: number, identity: PersonIdentity): Outcome<void>;
  /** The token of the link that makes the address theirs; of several the last one is valid. */
  prepareEmail(personId: number, email: string, validMs: number): Outcome<string>;
  /**
   * From then on it is their address, and links for a new password are void; undefined if the link
   * is. Refused if somebody else has the address.
   */
  confirmEmail(
    token: string,
  ): Promise<Result<Person & { formerEmail: string | undefined }, CatalogRefusal> | undefined>;
  /** In the audits of the person: see noteOfPerson. */
  note(personId: number, event: PersonEvent): Promise<void>;
}

/** Of an OIDC provider: never the e-mail address alone. */
export interface PersonIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The address that the provider vouches for; undefined: none. */
  readonly email?: string | undefined;
}

export interface PersonEvent {
  readonly action: 'SIGN_IN_REFUSED' | 'SIGN_IN_SLOWED' | 'RESET_SENT' | 'RESET_SHOWN';
  readonly after?: object;
  /** Whether operators are to know of it, wherever the person is a member. */
  readonly isOfService?: boolean;
}

export interface NewMember extends MemberName, Standing {}

export interface Memberships {
  list(accountId: number): Promise<Member[]>;
  find(name: MemberName): Promise<Member | undefined>;
  /** Adds a member, or changes what one may do; an account keeps an owner. */
  put(member: NewMember): Outcome<Member>;
  /** At once here, and within a second on other nodes. */
  remove(name: MemberName): Outcome<void>;
  /** What claims of a provider say: makes, changes and ends the memberships that claims made. */
  follow(personId: number, wanted: readonly (Standing & { accountId: number })[]): Outcome<void>;
}

export interface Invitation extends Standing {
  readonly invitationId: number;
  readonly accountId: number;
  readonly email: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly createdBy: string;
  readonly createdByName: string;
  /** The person who invites; undefined: a key or the command line does. */
  readonly inviterName: string | undefined;
}

/** What whoever has its link may know of it. */
export interface OpenInvitation extends Standing {
  /** Null: of the first person. */
  readonly accountId: number | null;
  readonly accountName: string | undefined;
  readonly email: string | undefined;
  readonly inviterName: string | undefined;
}

export interface NewInvitation extends Standing {
  readonly accountId: number;
  readonly email: string;
}

export interface Invitations {
  list(accountId: number): Promise<Invitation[]>;
  /** Only this answer contains the token; its hash is stored. Valid for 7 days, once. */
  create(invitation: NewInvitation): Outcome<{ invitation: Invitation; token: string }>;
  revoke(name: { readonly accountId: number; readonly invitationId: number }): Outcome<void>;
  /**
   * For the first person, who becomes operator and an owner of every account: valid for a day.
   * Undefined if there is somebody.
   */
  createFirst(): Promise<string | undefined>;
  find(token: string): Promise<OpenInvitation | undefined>;
  /** Makes the person a member, once; undefined if it is void. */
  accept(token: string, who: AcceptedBy): Promise<Result<Person, CatalogRefusal> | undefined>;
  /** Deletes a portion of those expired; resolves to how many, 0 if none is left. */
  purge(): Promise<number>;
}

/** Somebody there is, or whoever is made by it. */
export type AcceptedBy =
  | { readonly personId: number; readonly identity?: PersonIdentity | undefined }
  | (NewPerson & {
      readonly passwordHash: string | undefined;
      readonly identity?: PersonIdentity | undefined;
    });
