import { readDeclarations } from './declarations.ts';
import { buildLists, kindOfMark, type ListItem, type ListKind, valueOfMark } from './list-builder.ts';

type LevelRule = { kind: ListKind; start: number };
/** Keyed by list and level: "l0:level1". */
type LevelRules = ReadonlyMap<string, LevelRule>;

const FORMATS: Record<string, ListKind> = {
  bullet: 'bullet',
  image: 'bullet',
  'alpha-lower': 'a',
  'alpha-upper': 'A',
  'roman-lower': 'i',
  'roman-upper': 'I',
};

/** Word's style sheet has a rule for each level of each list; without a format, a level counts in digits. */
export function readLevelRules(sheet: string): Map<string, LevelRule> {
  const rules = new Map<string, LevelRule>();
  for (const [, name = '', text = ''] of sheet.matchAll(/@list\s+(l\d+:level\d+)[^{]*\{([^{}]*)\}/g)) {
    const said = readDeclarations(text);
    const format = said.get('mso-level-number-format') ?? '';
    const kind = FORMATS[format] ?? (format === 'none' ? 'bullet' : '1');
    rules.set(name, { kind, start: Number(said.get('mso-level-start-at') ?? 1) });
  }
  return rules;
}

/**
 * Turns Word's list paragraphs into lists. `mso-list` decides whether a paragraph is an item, at which level of which
 * list; the class does not: its paragraphs without `mso-list` are ordinary ones. A numbered heading stays a heading and
 * keeps its number.
 */
export function turnWordLists(body: Element, rules: LevelRules): void {
  const marks = new Map([...body.querySelectorAll('p, div, h1, h2, h3, h4, h5, h6')].map((one) => [one, markOf(one)]));
  const kinds = new Map<string, ListKind>();
  let run: { item: ListItem; from: Element }[] = [];
  const close = () => {
    const [first] = run;
    if (first)
      buildLists(
        first.from,
        run.map(({ item }) => item),
      );
    for (const { from } of run) from.remove();
    run = [];
  };
  for (const [element, mark] of marks) {
    if (mark === null) continue;
    if (/^H[1-6]$/.test(element.tagName)) {
      if (mark.text && mark.kind !== 'bullet')
        element.insertBefore(body.ownerDocument.createTextNode(`${mark.text} `), element.firstChild);
      continue;
    }
    const before = element.previousElementSibling;
    if (run.length > 0 && run.at(-1)?.from !== before) close();
    run.push({ item: itemOf(element, mark, rules, kinds), from: element });
  }
  close();
}

type Mark = { list: string; level: number; text: string; kind: ListKind };

/** Takes the typed mark out of an item; null for an element that is no item. */
function markOf(element: Element): Mark | null {
  const said = readDeclarations(element.getAttribute('style') ?? '').get('mso-list');
  const text = takeMark(element);
  const [, list = '', level = '1'] = /(l\d+)\s+level(\d+)/.exec(said ?? '') ?? [];
  if (!list && (text === null || said === 'none')) return null;
  return { list, level: Number(level), text: text ?? '', kind: kindOfMark(text ?? '') };
}

/** Null if there is no mark. It stands in a span of its own, or between comments for programs without lists. */
function takeMark(element: Element): string | null {
  const ignored = [...element.querySelectorAll('span[style]')].find(
    (span) => readDeclarations(span.getAttribute('style') ?? '').get('mso-list') === 'ignore',
  );
  const parts = ignored ? [ignored] : betweenComments(element);
  if (parts.length === 0) return null;
  const text = parts.map(({ textContent }) => textContent ?? '').join('');
  for (const part of parts) part.remove();
  return text.replaceAll(/[\s\u00a0]+/g, ' ').trim();
}

function betweenComments(element: Element): ChildNode[] {
  const start = [...element.childNodes].find(
    (node) => node.nodeType === Node.COMMENT_NODE && /\[if !supportLists\]/i.test(node.nodeValue ?? ''),
  );
  const found: ChildNode[] = [];
  for (let node = start?.nextSibling; node; node = node.nextSibling) {
    if (node.nodeType === Node.COMMENT_NODE && /\[endif\]/i.test(node.nodeValue ?? '')) return found;
    found.push(node);
  }
  return [];
}

/** `kinds`: how lists without a rule have counted so far; "i" is a letter after "h" and Roman at the beginning. */
function itemOf(element: Element, mark: Mark, rules: LevelRules, kinds: Map<string, ListKind>): ListItem {
  const name = `${mark.list}:level${mark.level}`;
  const rule = rules.get(name);
  const before = kinds.get(name);
  const isAsBefore = before !== undefined && valueOfMark(mark.text, before) !== null;
  const kind = rule?.kind ?? (isAsBefore ? before : mark.kind);
  kinds.set(name, kind);
  const value = valueOfMark(mark.text, kind);
  return { level: mark.level, kind, value, start: rule?.start ?? 1, list: mark.list, nodes: [...element.childNodes] };
}
