import Type, { type Static } from 'typebox';

/** What an API key may do; which paths each one opens stands with the paths, in api/. */
export const scopes = ['stats:read', 'info:read', 'collect:write', 'manage'] as const;

export const Scope = Type.Enum([...scopes]);
export type Scope = Static<typeof Scope>;
