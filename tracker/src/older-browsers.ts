/** What the build for older browsers has in place of globals that some of these lack. */
const known = window as unknown as Record<string, unknown>;

export const AbortSignal = known.AbortSignal || {};
export const customElements = known.customElements || { whenDefined: () => new Promise(() => {}) };
