/** Where the build notes the digest of its sources. */
export const programStamp: string;
export function isProgramBuilt(): boolean;
export function digestOfProgram(): string;
