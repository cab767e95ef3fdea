/**
 * The element of the page with this id. A missing one is a mistake in the page.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {abstract new () => T} [kind]
 * @returns {T}
 */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof (kind ?? HTMLElement))) throw new Error(`No #${id} in the page`);
  return /** @type {T} */ (found);
}
