import Type, { type Static } from 'typebox';

/** What an API key may do; which addresses each one opens stands with the addresses, in api/. */
export const scopes = ['stats:read', 'info:read', 'collect:write', 'manage'] as const;

export const Scope = Type.Enum([...scopes]);
export type Scope = Static<typeof Scope>;
