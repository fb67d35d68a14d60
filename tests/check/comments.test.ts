import { expect, test } from 'vitest';
import { oddComments } from '#scripts/checks/comments';
import { plantTree } from './tree.ts';

test('a comment that starts with a question word is reported, but not one whose later line does', () => {
  const word = 'What';
  const tree = plantTree({
    'shared/odd.ts': [
      `/** ${word} a payer owes. */`,
      'export const a = 1;',
      '/**',
      ` * ${word} it costs.`,
      ' */',
      `export const b = 2; // ${word} else`,
    ].join('\n'),
    'shared/plain.ts': [
      '/**',
      ' * The balance, and',
      ` * ${word} it says.`,
      ' */',
      '// One line and',
      `// ${word} follows it`,
    ].join('\n'),
  });
  expect(oddComments(tree).map((line) => line.split(' ')[0])).toEqual([
    'shared/odd.ts:1',
    'shared/odd.ts:4',
    'shared/odd.ts:6',
  ]);
});
