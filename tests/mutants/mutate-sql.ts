/** A piece of a text replaced by another one. */
export type Change = { start: number; end: number; to: string };

type Token = { text: string; start: number; end: number; depth: number };

/** How a `${…}` stands among the tokens. */
const INSERT = '?';

const TOKEN = /'(?:[^']|'')*'|--[^\n]*|\$\{|[A-Za-z_][\w.]*|\d[\d_]*|<>|<=|>=|\|\||->>|->|[^\s\w]/g;

/** Words at which a condition ends that began before them, at the same depth of brackets. */
const ENDS = new Set(
  ['AND OR ORDER GROUP LIMIT RETURNING THEN ELSE END WHEN UNION BEGIN WHERE ON JOIN LEFT CROSS SET FROM SELECT AS CASE']
    .join(' ')
    .split(' ')
    .concat([',', ';']),
);
/** Words after which a condition begins. */
const BEGINS = new Set(['WHERE', 'ON', 'WHEN', 'AND', 'OR', '(', 'NOT', 'BY']);

const swapped: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '<>': '=',
  '+': '-',
  '-': '+',
  MAX: 'min',
  MIN: 'max',
};

/** A clinic's database has one account, so a statement without its condition is the same one. */
const ofAccount = /^(?:\w+\.)?account_id = \S+$/;

export const looksLikeSql = (text: string): boolean =>
  /\b(?:SELECT|WHERE|EXISTS|UPDATE [a-z_]+ SET|AND|OR|COALESCE|coalesce|changes\(\)|local_status|NULL)\b|[a-z_}] (?:\+|-|=|<|>|<>) (?:\d|'|\$)/.test(
    text,
  );

/** Every small change to SQL that a test has to notice. `text` may hold `${…}`, whose insides stay as they are. */
export function changesOfSql(text: string): Change[] {
  const tokens = tokensOf(text);
  return tokens.flatMap((_, at) => [
    ...changesOfOperator(tokens, at),
    ...changesOfNull(tokens, at),
    ...removedTerms(text, tokens, at),
    ...removedElements(tokens, at),
    ...changedNumbers(tokens, at),
  ]);
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const start = match.index;
    if (match[0] === '${') TOKEN.lastIndex = endOfInsert(text, start);
    if (match[0].startsWith('--')) continue;
    const end = TOKEN.lastIndex;
    if (match[0] === ')') depth -= 1;
    tokens.push({ text: match[0] === '${' ? INSERT : match[0], start, end, depth });
    if (match[0] === '(') depth += 1;
  }
  return tokens;
}

function endOfInsert(text: string, start: number): number {
  let open = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '{') open += 1;
    if (text[at] === '}') open -= 1;
    if (open === 0) return at + 1;
  }
  return text.length;
}

const word = (token: Token | undefined): string => (token?.text ?? '').toUpperCase();

function changesOfOperator(tokens: Token[], at: number): Change[] {
  const token = tokens[at];
  if (!token) return [];
  const { start, end } = token;
  const [before, after] = [word(tokens[at - 1]), word(tokens[at + 1])];
  const to = (text: string) => [{ start, end, to: text }];
  const now = word(token);
  if (now === '=') return isAssignment(tokens, at) ? [] : to('<>');
  if (now === 'MAX' || now === 'MIN') return after === '(' ? to(swapped[now] ?? '') : [];
  if (now === '-' || now === '+') return before === '' || /^[(,=<>]$/.test(before) ? [] : to(swapped[now] ?? '');
  if (now in swapped) return to(swapped[now] ?? '');
  if (now === 'AND') return isBetween(tokens, at) ? [] : to('OR');
  if (now === 'OR' && before !== 'INSERT') return to('AND');
  if (now === 'NOT' && ['EXISTS', 'IN', '(', INSERT].includes(after)) return to('');
  if (now === 'EXISTS' && before !== 'NOT' && before !== 'IF') return to('NOT EXISTS');
  if (now === 'IN' && before !== 'NOT' && after === '(') return to('NOT IN');
  return [];
}

/** `x = 1` after SET or between its commas sets a column and compares nothing. */
function isAssignment(tokens: Token[], at: number): boolean {
  const depth = tokens[at]?.depth ?? 0;
  for (let back = at - 1; back >= 0; back -= 1) {
    const token = tokens[back];
    if (!token || token.depth < depth) return false;
    if (token.depth > depth) continue;
    if (word(token) === 'SET') return true;
    if (['WHERE', 'ON', 'WHEN', 'AND', 'OR', 'SELECT', 'FROM', 'HAVING'].includes(word(token))) return false;
  }
  return false;
}

function isBetween(tokens: Token[], at: number): boolean {
  for (let back = at - 1; back >= Math.max(0, at - 6); back -= 1) {
    if (word(tokens[back]) === 'BETWEEN') return true;
    if (['AND', 'OR', 'WHERE'].includes(word(tokens[back]))) return false;
  }
  return false;
}

/** IS NULL for IS NOT NULL, and the other way; the same of IS and IS NOT. */
function changesOfNull(tokens: Token[], at: number): Change[] {
  const token = tokens[at];
  if (!token || word(token) !== 'IS') return [];
  const next = tokens[at + 1];
  if (next && word(next) === 'NOT') return [{ start: token.start, end: next.end, to: 'IS' }];
  return [{ start: token.start, end: token.end, to: 'IS NOT' }];
}

/** One condition of several left out: what follows an AND or OR, and the first of a chain. */
function removedTerms(text: string, tokens: Token[], at: number): Change[] {
  const token = tokens[at];
  if (!token || !['AND', 'OR'].includes(word(token)) || isBetween(tokens, at) || word(tokens[at - 1]) === 'INSERT')
    return [];
  const is = word(token) === 'AND' ? '1' : '0';
  const terms = [termAfter(tokens, at)];
  const first = termBefore(tokens, at);
  if (first) terms.push(first);
  return terms.flatMap((term) => {
    if (!term || term.start >= term.end || ofAccount.test(text.slice(term.start, term.end))) return [];
    return [{ ...term, to: is }];
  });
}

function termAfter(tokens: Token[], at: number): { start: number; end: number } | null {
  const depth = tokens[at]?.depth ?? 0;
  const begin = tokens[at + 1];
  if (!begin) return null;
  let end = begin.start;
  let isInBetween = false;
  for (const token of tokens.slice(at + 1)) {
    if (token.depth < depth) break;
    const now = word(token);
    if (token.depth === depth && ENDS.has(now) && !(isInBetween && now === 'AND')) break;
    if (now === 'BETWEEN') isInBetween = true;
    else if (now === 'AND') isInBetween = false;
    end = token.end;
  }
  return { start: begin.start, end };
}

/** The first condition of a chain, whose connecting word is at `at`; null if it is not the first. */
function termBefore(tokens: Token[], at: number): { start: number; end: number } | null {
  const depth = tokens[at]?.depth ?? 0;
  let start: number | null = null;
  for (let back = at - 1; back >= 0; back -= 1) {
    const token = tokens[back];
    if (!token) break;
    const isOpening = token.depth === depth - 1 && token.text === '(';
    if (isOpening || (token.depth === depth && BEGINS.has(word(token)) && token.text !== '(')) {
      if (['AND', 'OR', 'NOT'].includes(word(token))) return null;
      break;
    }
    if (token.depth === depth && ENDS.has(word(token))) return null;
    if (token.depth < depth) break;
    start = token.start;
  }
  return start === null ? null : { start, end: tokens[at - 1]?.end ?? start };
}

/** `IN ('a', 'b')` without one of them. */
function removedElements(tokens: Token[], at: number): Change[] {
  if (word(tokens[at]) !== 'IN' || tokens[at + 1]?.text !== '(') return [];
  const depth = (tokens[at + 1]?.depth ?? 0) + 1;
  const inside: Token[] = [];
  for (const token of tokens.slice(at + 2)) {
    if (token.depth < depth) break;
    inside.push(token);
  }
  const elements = inside.filter(({ text }) => text.startsWith("'"));
  if (elements.length < 2 || inside.length !== elements.length * 2 - 1) return [];
  return elements.map(({ start, end }) => ({ start, end, to: "'no such value'" }));
}

/** Numbers in comparisons, sums and defaults; a LIMIT or the NULL of a CASE is no number that decides. */
function changedNumbers(tokens: Token[], at: number): Change[] {
  const token = tokens[at];
  if (!token || !/^\d/.test(token.text)) return [];
  const before = word(tokens[at - 1]);
  const isDefault = before === ',' && word(tokens[at + 1]) === ')' && hasCoalesce(tokens, at);
  if (!isDefault && !/^(?:<|<=|>|>=|=|<>|\+|-|THEN|ELSE)$/.test(before)) return [];
  const value = Number(token.text.replaceAll('_', ''));
  return [{ start: token.start, end: token.end, to: String(value >= 1000 ? value * 2 : value + 1) }];
}

function hasCoalesce(tokens: Token[], at: number): boolean {
  const depth = tokens[at]?.depth ?? 0;
  for (let back = at; back >= 0; back -= 1) {
    const token = tokens[back];
    if (token && token.depth === depth - 1) return /^(?:COALESCE|IFNULL)$/.test(word(tokens[back - 1]));
  }
  return false;
}
