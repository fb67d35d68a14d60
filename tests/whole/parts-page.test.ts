import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ownProduct } from '#tests/support/product/product';
import { ask } from './answers.ts';

const { appUrl, state } = ownProduct();

it('leaves the development page of screen parts out of the build', async () => {
  const site = path.join(state, 'site');
  const files = globSync('**/*', { cwd: site }).filter((file) => statSync(path.join(site, file)).isFile());
  const holding = (word: string) => files.filter((file) => readFileSync(path.join(site, file)).includes(word));
  // A word that every screen has shows that the search finds what is there.
  expect(holding('table-scroller').length).toBeGreaterThan(0);
  for (const word of ['Parts of the screens', 'parts-row', 'PartsPage', '/dev/parts'])
    expect(holding(word), word).toEqual([]);
  expect(files.filter((file) => /parts-page|PartsPage|^client[\\/]dev/.test(file))).toEqual([]);
  expect((await ask(appUrl, '/dev/parts')).status).toBe(404);
});
