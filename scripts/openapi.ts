import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { registerRawImports } from './local/raw-as-text.ts';
import { type Api, breaksBetween, unlisted } from './openapi/breaks.ts';
import { lintDocument } from './openapi/lint.ts';

/**
 * Generates openapi.json, the description of every route (OpenAPI 3.1), from the declared routes and the contracts.
 * `--check` writes nothing: it compares the document with that of the last release (CHANGELOG.md must list breaking
 * changes under "### Breaking") and validates it with standard tools. `--released` stores it as the released document.
 * Every mode fails for a route without a response and for an unused schema.
 */
const root = path.resolve(import.meta.dirname, '..');
const [FILE, RELEASED] = [path.join(root, 'openapi.json'), path.join(root, 'docs/openapi-released.json')];
registerRawImports();
const { makeDocument } = await import('./openapi/document.ts');
const { document, faults, counts } = await makeDocument(root);
const text = `${JSON.stringify(document, null, 1)}\n`;

if (process.argv.includes('--check')) {
  const released = JSON.parse(readFileSync(RELEASED, 'utf8')) as Api;
  const breaks = breaksBetween(released, JSON.parse(text) as Api);
  for (const { call, change } of unlisted(breaks, readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')))
    faults.push(
      `${call}: ${change}. Callers of the last release break: name \`${call}\` in CHANGELOG.md, under "### Breaking".`,
    );
  faults.push(...(await lintDocument(text)));
} else if (faults.length === 0) {
  writeFileSync(FILE, text);
  const { paths, components } = document;
  if (process.argv.includes('--released'))
    writeFileSync(RELEASED, `${JSON.stringify({ paths, components: { schemas: components.schemas } })}\n`);
}

for (const fault of faults) console.error(fault);
console.log(`${counts.routes} routes, ${counts.answers} answers, ${counts.schemas} schemas`);
process.exitCode = faults.length > 0 ? 1 : 0;
