import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { productOfWorker } from '#tests/support/product/product';
import { ask } from './answers.ts';

const { appUrl, state } = productOfWorker();

it('leaves the development page of screen parts out of the build', async () => {
  const site = path.join(state, 'site');
  const files = globSync('**/*', { cwd: site }).filter((file) => statSync(path.join(site, file)).isFile());
  const filesWith = (word: string) => files.filter((file) => readFileSync(path.join(site, file)).includes(word));
  // The search must find a word that every screen contains.
  expect(filesWith('table-scroller').length).toBeGreaterThan(0);
  for (const word of ['Parts of the screens', 'parts-row', 'PartsPage', '/dev/parts'])
    expect(filesWith(word), word).toEqual([]);
  expect(files.filter((file) => /parts-page|PartsPage|^client[\\/]dev/.test(file))).toEqual([]);
  expect((await ask(appUrl, '/dev/parts')).status).toBe(404);
});
