/** Each takes the tracker's folder; default: this one. */
export function isTrackerBuilt(folder?: string): boolean;
/** Where the build notes the digest of its sources. */
export function stampOf(folder?: string): string;
export function digestOfSources(folder?: string): string;
