import { cellsOf } from '#tests/check/asvs';

/** A template literal with exactly this text. */
const literal = (text: string): string => `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')}\``;

export const REPORT = 'scripts/local/seed/accessibility-report.ts';
export const CRITERIA = 'docs/wcag.csv';

const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const cell = (tag: 'th' | 'td', text: string) => `<${tag}><p>${plain(text)}</p></${tag}>`;
const row = (tag: 'th' | 'td', cells: string[]) => `<tr>${cells.map((text) => cell(tag, text)).join('')}</tr>`;

/** The terms of the VPAT form, by the words of the table. */
const TERMS: Record<string, string> = {
  supports: 'Supports',
  'partially supports': 'Partially Supports',
  'does not support': 'Does Not Support',
  'not applicable': 'Not Applicable',
  'not evaluated': 'Not Evaluated',
};

function tableOf(lines: string[][], level: 'A' | 'AA'): string {
  const rows = lines
    .filter(([, rowLevel]) => rowLevel === level)
    .map(([id = '', , name = '', result = '', shownBy = '', remark = '']) => {
      const count = shownBy.split(' | ').filter(Boolean).length;
      const evidence = count === 0 ? '' : count === 1 ? 'Shown by a test.' : `Shown by ${count} tests.`;
      return row('td', [`${id} ${name}`, TERMS[result] ?? result, [remark, evidence].filter(Boolean).join(' ')]);
    });
  return `<table><tbody>${row('th', ['Criterion', 'Conformance level', 'Remarks and explanations'])}${rows.join('')}</tbody></table>`;
}

/** The conformance report as a VPAT, from the table of criteria: a module with which the local site is seeded. */
export function reportFile(csv: string): string {
  const lines = csv.trimEnd().split('\n').slice(1).map(cellsOf);
  const counts = Object.entries(TERMS)
    .map(([result, term]) => [term, lines.filter(([, , , rowResult]) => rowResult === result).length] as const)
    .filter(([, count]) => count > 0)
    .map(([term, count]) => `${count} ${term}`);
  const html = [
    '<h2>Conformance report</h2>',
    '<p>In the form of a VPAT 2.5 (WCAG edition), for the Web Content Accessibility Guidelines 2.2, level A and AA. It is made out of our tests: a criterion is supported when a test shows it, and what no test shows is not evaluated. All of these tests pass in the version that you are using; with one that fails it is not released.</p>',
    '<ul>',
    '<li><p>Product: the pay page and receipt, the area of clinics, the public site, the content area.</p></li>',
    '<li><p>Evaluation methods: axe and checks of our own in Chromium, in the light and the dark theme, with forced colours, with the spacing of 1.4.12, with text of 200 %, at 400 %, and by keyboard. Firefox and Safari were not evaluated, nor were screen readers, nor people asked.</p></li>',
    '<li><p>Not ours: the fields of the card provider, which it puts into the pay page.</p></li>',
    `<li><p>Results: ${counts.join(', ')}.</p></li>`,
    '</ul>',
    '<h2>Terms</h2>',
    '<ul><li><p>Supports: at least one test shows that it is met without known defects.</p></li><li><p>Not Applicable: it is about something that the product does not have.</p></li><li><p>Not Evaluated: no test of ours shows it. Nothing is claimed.</p></li></ul>',
    '<h2>Success criteria, level A</h2>',
    tableOf(lines, 'A'),
    '<h2>Success criteria, level AA</h2>',
    tableOf(lines, 'AA'),
  ];
  return `/** The conformance report of the page on accessibility. \`npm run registers\` writes this file, out of ${CRITERIA}. */
export const accessibilityReport = ${literal(html.join('\n'))};
`;
}
