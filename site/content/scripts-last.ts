import { readFileSync, writeFileSync } from 'node:fs';
import type { AstroIntegration } from 'astro';

/** The page on which somebody waits to pay. */
const PAGES = ['make/payment/shell.html'];

/**
 * The page with its inline scripts at the end of the body. Such a script waits for the stylesheets, and the parser waits with
 * it: where Astro puts the one that starts an island, all that is to be painted would come after that wait.
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
