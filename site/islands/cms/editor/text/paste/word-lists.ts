import { readDeclarations } from './declarations.ts';
import { buildLists, kindOfMarker, type ListItem, type ListKind, valueOfMarker } from './list-builder.ts';

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

/** Reads Word's rules for each level of each list; a level without a format counts in digits. */
export function readLevelRules(sheet: string): Map<string, LevelRule> {
  const rules = new Map<string, LevelRule>();
  for (const [, name = '', text = ''] of sheet.matchAll(/@list\s+(l\d+:level\d+)[^{]*\{([^{}]*)\}/g)) {
    const style = readDeclarations(text);
    const format = style.get('mso-level-number-format') ?? '';
    const kind = FORMATS[format] ?? (format === 'none' ? 'bullet' : '1');
    rules.set(name, { kind, start: Number(style.get('mso-level-start-at') ?? 1) });
  }
  return rules;
}

/**
 * Turns Word's list paragraphs into lists. `mso-list` decides whether a paragraph is an item, and at which level of
 * which list; the class does not, since ordinary paragraphs may have it too. A numbered heading stays a heading and
 * keeps its number.
 */
export function convertWordLists(body: Element, rules: LevelRules): void {
  const markers = new Map(
    [...body.querySelectorAll('p, div, h1, h2, h3, h4, h5, h6')].map((element) => [element, markerOf(element)]),
  );
  const kinds = new Map<string, ListKind>();
  let pendingItems: { item: ListItem; from: Element }[] = [];
  const finishList = () => {
    const [first] = pendingItems;
    if (first)
      buildLists(
        first.from,
        pendingItems.map(({ item }) => item),
      );
    for (const { from } of pendingItems) from.remove();
    pendingItems = [];
  };
  for (const [element, marker] of markers) {
    if (marker === null) continue;
    if (/^H[1-6]$/.test(element.tagName)) {
      if (marker.text && marker.kind !== 'bullet')
        element.insertBefore(body.ownerDocument.createTextNode(`${marker.text} `), element.firstChild);
      continue;
    }
    const previous = element.previousElementSibling;
    if (pendingItems.length > 0 && pendingItems.at(-1)?.from !== previous) finishList();
    pendingItems.push({ item: itemOf(element, marker, rules, kinds), from: element });
  }
  finishList();
}

type Marker = { list: string; level: number; text: string; kind: ListKind };

/** Removes and returns the typed marker of an item; null for an element that is not an item. */
function markerOf(element: Element): Marker | null {
  const listStyle = readDeclarations(element.getAttribute('style') ?? '').get('mso-list');
  const text = takeMarker(element);
  const [, list = '', level = '1'] = /(l\d+)\s+level(\d+)/.exec(listStyle ?? '') ?? [];
  if (!list && (text === null || listStyle === 'none')) return null;
  return { list, level: Number(level), text: text ?? '', kind: kindOfMarker(text ?? '') };
}

/**
 * Removes the marker of an item and returns its text, or null if there is none. Word writes it in its own span, or
 * between comments for programs without lists.
 */
function takeMarker(element: Element): string | null {
  const markerSpan = [...element.querySelectorAll('span[style]')].find(
    (span) => readDeclarations(span.getAttribute('style') ?? '').get('mso-list') === 'ignore',
  );
  const parts = markerSpan ? [markerSpan] : nodesBetweenComments(element);
  if (parts.length === 0) return null;
  const text = parts.map(({ textContent }) => textContent ?? '').join('');
  for (const part of parts) part.remove();
  return text.replaceAll(/[\s\u00a0]+/g, ' ').trim();
}

function nodesBetweenComments(element: Element): ChildNode[] {
  const start = [...element.childNodes].find(
    (node) => node.nodeType === Node.COMMENT_NODE && /\[if !supportLists\]/i.test(node.nodeValue ?? ''),
  );
  const nodes: ChildNode[] = [];
  for (let node = start?.nextSibling; node; node = node.nextSibling) {
    if (node.nodeType === Node.COMMENT_NODE && /\[endif\]/i.test(node.nodeValue ?? '')) return nodes;
    nodes.push(node);
  }
  return [];
}

/** `kinds`: the kind of each list so far, which decides if there is no rule: "i" is a letter after "h", else Roman. */
function itemOf(element: Element, marker: Marker, rules: LevelRules, kinds: Map<string, ListKind>): ListItem {
  const name = `${marker.list}:level${marker.level}`;
  const rule = rules.get(name);
  const previousKind = kinds.get(name);
  const matchesPrevious = previousKind !== undefined && valueOfMarker(marker.text, previousKind) !== null;
  const kind = rule?.kind ?? (matchesPrevious ? previousKind : marker.kind);
  kinds.set(name, kind);
  const value = valueOfMarker(marker.text, kind);
  return {
    level: marker.level,
    kind,
    value,
    start: rule?.start ?? 1,
    list: marker.list,
    nodes: [...element.childNodes],
  };
}
