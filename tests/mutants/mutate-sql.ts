/** A piece of a text replaced by another one. */
export type Change = { start: number; end: number; to: string };

type Token = { text: string; start: number; end: number; depth: number };

/** The token text of an inserted `${…}`. */
const PLACEHOLDER = '?';

const TOKEN = /'(?:[^']|'')*'|--[^\n]*|\$\{|[A-Za-z_][\w.]*|\d[\d_]*|<>|<=|>=|\|\||->>|->|[^\s\w]/g;

/** Words that end a condition at the same bracket depth. */
const CONDITION_ENDS = new Set(
  ['AND OR ORDER GROUP LIMIT RETURNING THEN ELSE END WHEN UNION BEGIN WHERE ON JOIN LEFT CROSS SET FROM SELECT AS CASE']
    .join(' ')
    .split(' ')
    .concat([',', ';']),
);
/** Words after which a condition starts. */
const CONDITION_STARTS = new Set(['WHERE', 'ON', 'WHEN', 'AND', 'OR', '(', 'NOT', 'BY']);

const swaps: Record<string, string> = {
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

/** A clinic's database has one account, so removing an account condition changes nothing. */
const accountCondition = /^(?:\w+\.)?account_id = \S+$/;

export const looksLikeSql = (text: string): boolean =>
  /\b(?:SELECT|WHERE|EXISTS|UPDATE [a-z_]+ SET|AND|OR|COALESCE|coalesce|changes\(\)|local_status|NULL)\b|[a-z_}] (?:\+|-|=|<|>|<>) (?:\d|'|\$)/.test(
    text,
  );

/** Returns every small change to SQL that a test must detect. Expressions inside `${…}` stay unchanged. */
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
    if (match[0] === '${') TOKEN.lastIndex = endOfPlaceholder(text, start);
    if (match[0].startsWith('--')) continue;
    const end = TOKEN.lastIndex;
    if (match[0] === ')') depth -= 1;
    tokens.push({ text: match[0] === '${' ? PLACEHOLDER : match[0], start, end, depth });
    if (match[0] === '(') depth += 1;
  }
  return tokens;
}

function endOfPlaceholder(text: string, start: number): number {
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
  const current = word(token);
  if (current === '=') return isAssignment(tokens, at) ? [] : to('<>');
  if (current === 'MAX' || current === 'MIN') return after === '(' ? to(swaps[current] ?? '') : [];
  if (current === '-' || current === '+')
    return before === '' || /^[(,=<>]$/.test(before) ? [] : to(swaps[current] ?? '');
  if (current in swaps) return to(swaps[current] ?? '');
  if (current === 'AND') return isBetween(tokens, at) ? [] : to('OR');
  if (current === 'OR' && before !== 'INSERT') return to('AND');
  if (current === 'NOT' && ['EXISTS', 'IN', '(', PLACEHOLDER].includes(after)) return to('');
  if (current === 'EXISTS' && before !== 'NOT' && before !== 'IF') return to('NOT EXISTS');
  if (current === 'IN' && before !== 'NOT' && after === '(') return to('NOT IN');
  return [];
}

/** True for the `=` of an assignment in a SET list, which is not a comparison. */
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

/** Swaps IS and IS NOT, with or without NULL. */
function changesOfNull(tokens: Token[], at: number): Change[] {
  const token = tokens[at];
  if (!token || word(token) !== 'IS') return [];
  const next = tokens[at + 1];
  if (next && word(next) === 'NOT') return [{ start: token.start, end: next.end, to: 'IS' }];
  return [{ start: token.start, end: token.end, to: 'IS NOT' }];
}

/** Removes one condition of several: the one after an AND or OR, and the first of a chain. */
function removedTerms(text: string, tokens: Token[], at: number): Change[] {
  const token = tokens[at];
  if (!token || !['AND', 'OR'].includes(word(token)) || isBetween(tokens, at) || word(tokens[at - 1]) === 'INSERT')
    return [];
  const neutral = word(token) === 'AND' ? '1' : '0';
  const terms = [termAfter(tokens, at)];
  const first = termBefore(tokens, at);
  if (first) terms.push(first);
  return terms.flatMap((term) => {
    if (!term || term.start >= term.end || accountCondition.test(text.slice(term.start, term.end))) return [];
    return [{ ...term, to: neutral }];
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
    const current = word(token);
    if (token.depth === depth && CONDITION_ENDS.has(current) && !(isInBetween && current === 'AND')) break;
    if (current === 'BETWEEN') isInBetween = true;
    else if (current === 'AND') isInBetween = false;
    end = token.end;
  }
  return { start: begin.start, end };
}

/** The condition before the AND or OR at `at`; null unless it is the first of its chain. */
function termBefore(tokens: Token[], at: number): { start: number; end: number } | null {
  const depth = tokens[at]?.depth ?? 0;
  let start: number | null = null;
  for (let back = at - 1; back >= 0; back -= 1) {
    const token = tokens[back];
    if (!token) break;
    const isOpening = token.depth === depth - 1 && token.text === '(';
    if (isOpening || (token.depth === depth && CONDITION_STARTS.has(word(token)) && token.text !== '(')) {
      if (['AND', 'OR', 'NOT'].includes(word(token))) return null;
      break;
    }
    if (token.depth === depth && CONDITION_ENDS.has(word(token))) return null;
    if (token.depth < depth) break;
    start = token.start;
  }
  return start === null ? null : { start, end: tokens[at - 1]?.end ?? start };
}

/** Replaces one element of `IN ('a', 'b')` with a value that no row has. */
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

/** Changes numbers in comparisons, sums and defaults; a LIMIT decides nothing and stays. */
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
