/** What the scripts of the page say, in the language in which the service sent it. */

/** @type {Record<string, string>} */
const words = JSON.parse(document.body.dataset.words ?? '{}');

/** How the reader's country writes that language, where the browser names one. */
export const locale = localeOf(document.documentElement.lang);

/**
 * @param {string} name Of the catalogue, without `say.`.
 * @param {Record<string, string | number>} [values]
 */
export function say(name, values = {}) {
  const text = words[`say.${name}`];
  if (text === undefined) throw new Error(`The page has no words for ${name}`);
  return text.replace(/\{(\w+)\}/g, (whole, value) => String(values[value] ?? whole));
}

/** @param {string} language */
function localeOf(language) {
  return (
    navigator.languages.find((tag) => tag.split('-')[0] === language && isLocale(tag)) ?? language
  );
}

/**
 * Browsers take their languages from the system, which may say `en-US@posix`.
 * @param {string} tag
 */
function isLocale(tag) {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
