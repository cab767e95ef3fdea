/** What a node of the service does. */
export const roles = ['collect', 'report', 'roll-up', 'all'] as const;

export type Role = (typeof roles)[number];
