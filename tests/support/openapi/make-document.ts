import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDocument } from '#scripts/openapi/document';
import { OPENAPI } from './description.ts';

/** Writes openapi.json once for all test files that check answers against it. */
export default async function setup(): Promise<void> {
  const { document } = await makeDocument(process.cwd());
  mkdirSync(path.dirname(OPENAPI), { recursive: true });
  writeFileSync(OPENAPI, JSON.stringify(document));
}
