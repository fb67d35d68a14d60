import { readFileSync, writeFileSync } from 'node:fs';
import type { AstroIntegration } from 'astro';
import { languages } from '../../shared/words/language.ts';

/** The page on which a payer waits, in each language. */
const PAGES = languages.map((language) => `make/payment/shell-${language}.html`);

/**
 * Moves the page's inline scripts to the end of the body. An inline script waits for the stylesheets and blocks the
 * parser: left where Astro puts the island's start script, it would delay the first paint.
 */
export function putScriptsLast(html: string): string {
  const from = html.indexOf('<body');
  const [head, body] = [html.slice(0, from), html.slice(from)];
  const inline = /<script>[\s\S]*?<\/script>/g;
  const scripts = (body.match(inline) ?? []).join('');
  return head + body.replaceAll(inline, '').replace('</body>', () => `${scripts}</body>`);
}

export const scriptsLast: AstroIntegration = {
  name: 'scripts-last',
  hooks: {
    'astro:build:done': ({ dir }) => {
      for (const page of PAGES) {
        const file = new URL(page, dir);
        writeFileSync(file, putScriptsLast(readFileSync(file, 'utf8')));
      }
    },
  },
};
