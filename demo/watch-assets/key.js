/**
 * The API key: handed over in the fragment, which browsers send to no server, then kept in this
 * tab only and taken out of the URL, so that it is not bookmarked or shared with it.
 */
const item = 'playmeter-key';
let held = '';

/** @returns {string} The key, or nothing. */
export function takeKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (given) {
    keepKey(given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  if (held === '') held = fromStorage((storage) => storage.getItem(item)) ?? '';
  return held;
}

/** @param {string} key */
export function keepKey(key) {
  held = key;
  fromStorage((storage) => storage.setItem(item, key));
}

export function forgetKey() {
  held = '';
  fromStorage((storage) => storage.removeItem(item));
}

/**
 * Storage may be blocked; the key then lasts as long as the page.
 * @template T
 * @param {(storage: Storage) => T} use
 * @returns {T | undefined}
 */
function fromStorage(use) {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
