/**
 * uPlot passes the browser's language to Intl when it loads, and Intl throws on a name like "en-US@posix", which
 * browsers take from some systems. Only then is the language overridden; our own texts name theirs explicitly.
 */
export function mendLanguage(its: Pick<Navigator, 'language'>): void {
  try {
    Intl.getCanonicalLocales(its.language);
  } catch {
    Object.defineProperty(its, 'language', { value: 'en-US', configurable: true });
  }
}

mendLanguage(navigator);
