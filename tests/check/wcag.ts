import { cellsOf, problemsOfTest, type Read } from './asvs.ts';

/** docs/wcag.csv assesses the product against WCAG 2.2, levels A and AA. 4.1.1 is obsolete since 2.2 and has no row. */

const LEVELS: Record<string, string> = {
  '1.1': '1A',
  '1.2': '1A 2A 3A 4AA 5AA',
  '1.3': '1A 2A 3A 4AA 5AA',
  '1.4': '1A 2A 3AA 4AA 5AA 10AA 11AA 12AA 13AA',
  '2.1': '1A 2A 4A',
  '2.2': '1A 2A',
  '2.3': '1A',
  '2.4': '1A 2A 3A 4A 5AA 6AA 7AA 11AA',
  '2.5': '1A 2A 3A 4A 7AA 8AA',
  '3.1': '1A 2AA',
  '3.2': '1A 2A 3AA 4AA 6A',
  '3.3': '1A 2A 3AA 4AA 7A 8AA',
  '4.1': '2A 3AA',
};

/** Each criterion with its level, in order. */
export const REQUIRED: readonly string[] = Object.entries(LEVELS).flatMap(([section, all]) =>
  all.split(' ').map((criterion) => criterion.replace(/^(\d+)(A+)$/, `${section}.$1 level $2`)),
);

const RESULTS = ['supports', 'partially supports', 'does not support', 'not applicable', 'not evaluated'];

/** All problems of the table: a supported criterion names the tests that show it, the others say that there is none. */
export function problemsOf(csv: string, read: Read): string[] {
  const rows = csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [id = '', level = '', name = '', result = '', shownBy = '', remark = ''] = cellsOf(line);
      return {
        id,
        name: `${id} level ${level}`,
        title: name,
        result,
        shown: shownBy.split(' | ').filter(Boolean),
        remark,
      };
    });
  const problems =
    rows.map(({ name }) => name).join() === REQUIRED.join() ? [] : ['the rows are not those of WCAG 2.2'];
  for (const { id, title, result, shown, remark } of rows) {
    const report = (problem: string) => problems.push(`${id}: ${problem}`);
    if (!title) report('has no name');
    if (!RESULTS.includes(result)) report(`"${result}" is not a result`);
    if (/support/.test(result) !== shown.length > 0) report(`is "${result}", and ${shown.length} tests show it`);
    if (!/^(supports|not evaluated)$/.test(result) && !remark) report('gives no reason');
    for (const test of shown) for (const problem of problemsOfTest(test, read)) report(problem);
  }
  return problems;
}
