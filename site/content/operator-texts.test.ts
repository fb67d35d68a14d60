import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { operatorsWords } from './operator-texts.ts';

/** The new source of a module, or undefined if the build keeps the original. */
function loadModule(modules: object | null, id: string): unknown {
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

test('a build replaces the sample texts with the environment’s texts character by character', () => {
  const operator = { name: 'O’Hara "Pay" </script>' };
  expect(loadModule({ [FILE]: { operator } }, path.resolve(FILE))).toBe(
    `export const operator = ${JSON.stringify(operator)};`,
  );
});

test('a build without a text file keeps the samples, and other modules stay unchanged', () => {
  expect(loadModule(null, path.resolve(FILE))).toBeUndefined();
  expect(loadModule({ [FILE]: { operator: {} } }, path.resolve('shared/operator-cards.ts'))).toBeUndefined();
});
