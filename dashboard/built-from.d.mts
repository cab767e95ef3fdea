/** Where the build notes the digest of its sources, once its files are in place. */
export const dashboardStamp: string;
export function isDashboardBuilt(): boolean;
export function digestOfDashboardSources(): string;
