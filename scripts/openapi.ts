import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDocument } from './openapi/document.ts';
import { spared, table } from './openapi/tables.ts';
import { written } from './openapi/written.ts';

/**
 * Writes openapi.json, the description of every route (OpenAPI 3.1), from the permissions, the contracts and the tables of
 * scripts/openapi. `--check` compares it with the file that is there. Both fail for a route without a row and for a schema
 * that nothing uses.
 */
const FILE = 'openapi.json';
const root = path.resolve(import.meta.dirname, '..');
const { document, faults, counts } = await makeDocument(root, table, spared);
const text = `${written(document)}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(path.join(root, FILE), 'utf8') !== text) faults.push(`${FILE} is not up to date: npm run registers`);
} else if (faults.length === 0) writeFileSync(path.join(root, FILE), text);

for (const fault of faults) console.error(fault);
console.log(`${counts.routes} routes, ${counts.answers} answers, ${counts.schemas} schemas`);
process.exitCode = faults.length > 0 ? 1 : 0;
