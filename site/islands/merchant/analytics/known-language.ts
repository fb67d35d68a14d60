/**
 * uPlot hands the browser's language to Intl when it loads, and Intl throws at a name like "en-US@posix", which browsers
 * take over from some systems. Only there the language is said anew; our own words name theirs.
 */
export function mendLanguage(its: Pick<Navigator, 'language'>): void {
  try {
    Intl.getCanonicalLocales(its.language);
  } catch {
    Object.defineProperty(its, 'language', { value: 'en-US', configurable: true });
  }
}

mendLanguage(navigator);
