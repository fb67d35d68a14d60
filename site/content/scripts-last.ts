import { readFileSync, writeFileSync } from 'node:fs';
import type { AstroIntegration } from 'astro';
import { languages } from '#shared/words/language';

/** The payment page in each language. */
const PAGES = languages.map((language) => `make/payment/shell-${language}.html`);

/**
 * Moves the page's inline scripts to the end of the body. An inline script waits for the stylesheets and blocks the
 * parser: at Astro's position for the island's start script, it would delay the first paint.
 */
export function moveScriptsToEnd(html: string): string {
  const from = html.indexOf('<body');
  const [head, body] = [html.slice(0, from), html.slice(from)];
  const inline = /<script>[\s\S]*?<\/script>/g;
  const scripts = (body.match(inline) ?? []).join('');
  return head + body.replaceAll(inline, '').replace('</body>', () => `${scripts}</body>`);
}

/**
 * Inlines the page's stylesheets in place: on a slow connection, the first paint would otherwise wait for one more
 * round trip. `readAsset` returns a built file by its address.
 */
export function inlineStylesheets(html: string, readAsset: (address: string) => string): string {
  return html.replace(
    /<link rel="stylesheet" href="(\/[^"]+\.css)">/g,
    (_link, address: string) => `<style>${readAsset(address)}</style>`,
  );
}

export const scriptsLast: AstroIntegration = {
  name: 'scripts-last',
  hooks: {
    'astro:build:done': ({ dir }) => {
      for (const page of PAGES) {
        const file = new URL(page, dir);
        const readAsset = (address: string) => readFileSync(new URL(address.slice(1), dir), 'utf8');
        writeFileSync(file, moveScriptsToEnd(inlineStylesheets(readFileSync(file, 'utf8'), readAsset)));
      }
    },
  },
};
