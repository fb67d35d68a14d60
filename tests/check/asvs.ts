/**
 * Checks for docs/asvs.csv, which assesses the product against OWASP ASVS 5.0.0, levels 1 and 2: the IDs that it must
 * contain and the rules for each row.
 */

/** The level of each requirement of a section, from number 1 on. Level 3 comes last in a section and is omitted. */
const SECTIONS: Record<string, string> = {
  '1.1': '22',
  '1.2': '111112222',
  '1.3': '11222222222',
  '1.4': '222',
  '1.5': '12',
  '2.1': '122',
  '2.2': '112',
  '2.3': '1222',
  '2.4': '2',
  '3.2': '11',
  '3.3': '1222',
  '3.4': '112222',
  '3.5': '11122',
  '3.7': '22',
  '4.1': '122',
  '4.2': '2',
  '4.3': '22',
  '4.4': '1222',
  '5.1': '2',
  '5.2': '112',
  '5.3': '11',
  '5.4': '222',
  '6.1': '122',
  '6.2': '111111112222',
  '6.3': '1122',
  '6.4': '1122',
  '6.5': '22222',
  '6.6': '222',
  '6.8': '2222',
  '7.1': '222',
  '7.2': '1111',
  '7.3': '22',
  '7.4': '11222',
  '7.5': '22',
  '7.6': '22',
  '8.1': '12',
  '8.2': '112',
  '8.3': '1',
  '8.4': '2',
  '9.1': '111',
  '9.2': '1222',
  '10.1': '22',
  '10.2': '22',
  '10.3': '2222',
  '10.4': '11111222222',
  '10.5': '22222',
  '10.6': '22',
  '10.7': '222',
  '11.1': '22',
  '11.2': '222',
  '11.3': '112',
  '11.4': '1222',
  '11.5': '2',
  '11.6': '2',
  '12.1': '122',
  '12.2': '11',
  '12.3': '2222',
  '13.1': '2',
  '13.2': '22222',
  '13.3': '22',
  '13.4': '12222',
  '14.1': '22',
  '14.2': '1222',
  '14.3': '122',
  '15.1': '122',
  '15.2': '122',
  '15.3': '1222222',
  '16.1': '2',
  '16.2': '22222',
  '16.3': '2222',
  '16.4': '222',
  '16.5': '222',
  '17.1': '2',
  '17.2': '2222',
  '17.3': '22',
};

/** IDs with their levels, in order. */
export const REQUIRED: readonly (readonly [id: string, level: string])[] = Object.entries(SECTIONS).flatMap(
  ([section, levels]) => Array.from(levels, (level, at) => [`${section}.${at + 1}`, level] as const),
);

/** Deviations that the product's specification requires. Adding another one is a person's decision. */
export const FORCED = ['3.3.1', '3.3.3', '3.3.4', '3.5.4', '7.4.2', '10.1.1', '14.2.1'];

const COLUMNS = ['id', 'level', 'asks', 'applies', 'where', 'shown by', 'state'];
const MAX_LENGTH = 640;

export type Row = { id: string; level: string; applies: string; where: string; shownBy: string; state: string };
/** The text of a file in the repository, or null if it does not exist. */
export type Read = (file: string) => string | null;

export const cellsOf = (line: string): string[] =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^",]*)(?:,|$)/g)]
    .map(([, cell = '']) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell))
    .slice(0, COLUMNS.length);

const lineOf = (cells: string[]): string =>
  cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');

/** The rows of the table, without its heading. */
export const rowsOf = (csv: string): Row[] =>
  csv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [id = '', level = '', _asks, applies = '', where = '', shownBy = '', state = ''] = cellsOf(line);
      return { id, level, applies, where, shownBy, state };
    });

/** The kind of state, without its reason. */
export const stateOf = ({ state }: Row): string => state.split(':')[0] ?? '';

/** The URL fragment of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** All problems of the table. */
export function problemsOf(csv: string, read: Read): string[] {
  const [heading = '', ...lines] = csv.trimEnd().split('\n');
  const problems = heading === lineOf(COLUMNS) ? [] : ['the columns are not the expected ones'];
  for (const line of lines) {
    if (lineOf(cellsOf(line)) !== line) problems.push(`not quoted as a CSV: ${line.slice(0, 60)}`);
    if (line.length > MAX_LENGTH) problems.push(`longer than ${MAX_LENGTH} characters: ${line.slice(0, 60)}`);
  }
  const rows = rowsOf(csv);
  const [expected, actual] = [REQUIRED.map(([id, level]) => `${id} level ${level}`), rows.map(nameOf)];
  for (const name of expected) if (!actual.includes(name)) problems.push(`${name} is missing`);
  for (const name of actual)
    if (!expected.includes(name)) problems.push(`${name} is not a requirement of level 1 or 2`);
  if (problems.length === 0 && actual.join() !== expected.join())
    problems.push('the rows are not in the order of their ids');
  return [...problems, ...rows.flatMap((row) => problemsOfRow(row, read).map((problem) => `${row.id}: ${problem}`))];
}

const nameOf = ({ id, level }: Row) => `${id} level ${level}`;

function problemsOfRow(row: Row, read: Read): string[] {
  const { id, level, applies, where, shownBy, state } = row;
  const kind = stateOf(row);
  const problems: string[] = [];
  const isDocument = where.includes('#');
  if (!['met', 'not applicable', 'by specification', 'open'].includes(kind)) problems.push(`"${kind}" is not a state`);
  if (!/^(yes(: .+)?|no: .+)$/.test(applies)) problems.push('says neither yes, nor no with a reason');
  if (applies.startsWith('no') !== (kind === 'not applicable'))
    problems.push('applies and state contradict each other');
  if (['by specification', 'open'].includes(kind) && !/^[\w ]+: .{10}/.test(state)) problems.push('gives no reason');
  if (level === '1' && kind === 'open') problems.push('is open, and of level 1');
  if ((kind === 'by specification') !== FORCED.includes(id))
    problems.push('the state contradicts the list of rows that the specification forces');
  if (kind === 'met' && shownBy === '' && !isDocument) problems.push('is met, but nothing shows it');
  if (kind !== 'not applicable') problems.push(...problemsOfFile(where, read));
  for (const test of shownBy.split(' | ').filter(Boolean)) problems.push(...problemsOfTest(test, read));
  return problems;
}

function problemsOfFile(where: string, read: Read): string[] {
  const [file = '', anchor] = where.split('#');
  const text = read(file);
  if (text === null) return [`there is no ${file}`];
  const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
  return anchor === undefined || anchors.includes(anchor) ? [] : [`${file} has no heading ${anchor}`];
}

/** `test` is a test file, a colon and the title of one of its tests. */
export function problemsOfTest(test: string, read: Read): string[] {
  const [file = ''] = test.split(': ', 1);
  const title = test.slice(file.length + 2);
  const text = /\.test\.tsx?$/.test(file) ? read(file) : null;
  if (text === null) return [`there is no test file ${file}`];
  const quoted = ["'", '"', '`'].map((quote) => `${quote}${title}${quote}`).find((form) => text.includes(form));
  if (title === '' || !quoted) return [`${file} has no test "${title}"`];
  const precedingText = text.slice(0, text.indexOf(quoted)).trimEnd();
  return /\.(skip|todo)(\.each)?\($/.test(precedingText) ? [`${file} leaves out the test "${title}"`] : [];
}
