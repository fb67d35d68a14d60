import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { operatorsWords } from './operators-words.ts';

/** The new source of a module, or undefined if the build keeps its own. */
function loaded(modules: object | null, id: string): unknown {
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-words-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'words.json');
  writeFileSync(file, JSON.stringify(modules ?? {}));
  const { load } = operatorsWords(modules ? file : undefined) as unknown as {
    load: { handler: (id: string) => unknown };
  };
  return load.handler(id);
}
const FILE = 'shared/operator.ts';

test('a build has the words of an environment in place of the samples, with every character as given', () => {
  const operator = { name: 'O’Hara "Pay" </script>' };
  expect(loaded({ [FILE]: { operator } }, path.resolve(FILE))).toBe(
    `export const operator = ${JSON.stringify(operator)};`,
  );
});

test('a build without such a file, and every other module, stays as it is', () => {
  expect(loaded(null, path.resolve(FILE))).toBeUndefined();
  expect(loaded({ [FILE]: { operator: {} } }, path.resolve('shared/operator-cards.ts'))).toBeUndefined();
});
