/**
 * Overrides a browser language that Intl rejects, such as "en-US@posix", which browsers adopt from some systems. uPlot
 * passes the language to Intl when it loads, and would fail. Our own texts do not depend on the browser's language.
 */
export function fixLanguage(browser: Pick<Navigator, 'language'>): void {
  try {
    Intl.getCanonicalLocales(browser.language);
  } catch {
    Object.defineProperty(browser, 'language', { value: 'en-US', configurable: true });
  }
}

fixLanguage(navigator);
