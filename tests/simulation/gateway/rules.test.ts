import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/gateway-rules.md', 'utf8');
const rules = [...page.matchAll(/^\*\*(G\d+)\. /gm)].map(([, name = '']) => name);
const files = globSync('tests/simulation/gateway/*.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** Rules named in a text; G19-G21 names three. */
function namedIn(text: string): string[] {
  return [...text.matchAll(/\bG(\d+)(?:-G(\d+))?\b/g)].flatMap(([, from, to]) => {
    const numbers = Array.from({ length: Number(to ?? from) - Number(from) + 1 }, (_, index) => Number(from) + index);
    return numbers.map((number) => `G${number}`);
  });
}

test('the gateway rules are numbered without gaps', () => {
  expect(rules).toEqual(rules.map((_, index) => `G${index + 1}`));
  expect(rules.length).toBeGreaterThan(40);
});

test.each(rules)('rule %s is named in a file of the gateway model or its tests', (rule) => {
  const matches = files.filter(({ file, text }) => !file.endsWith('/rules.test.ts') && namedIn(text).includes(rule));
  expect(matches, `No file of tests/simulation/gateway names ${rule}`).not.toHaveLength(0);
});

test('no file of the model names a rule missing from the page', () => {
  const unknown = files.flatMap(({ file, text }) =>
    namedIn(text).flatMap((rule) => (rules.includes(rule) ? [] : [`${file}: ${rule}`])),
  );
  expect(unknown.filter((line) => !line.includes('rules.test.ts'))).toEqual([]);
});

test('each rule states how certain it is', () => {
  const texts = page.split(/^(?=\*\*G\d+\. )/m).slice(1);
  const unsure = texts.filter((text) => !/documented|in code|inferred|guessed|our rule|is open|silence/i.test(text));
  expect(unsure).toEqual([]);
});
