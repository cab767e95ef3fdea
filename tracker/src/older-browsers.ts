/** What the build for older browsers has in place of what some of these lack. */
const known = window as unknown as Record<string, unknown>;

export const AbortSignal = known.AbortSignal || {};
export const customElements = known.customElements || { whenDefined: () => new Promise(() => {}) };

// They have no shadow roots either. The one thing that this build adds to the page.
if (!Node.prototype.getRootNode) Node.prototype.getRootNode = () => document;
