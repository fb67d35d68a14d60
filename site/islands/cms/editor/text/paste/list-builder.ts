import { appendAll, insertBefore } from '../dom.ts';

export type ListKind = 'bullet' | '1' | 'a' | 'A' | 'i' | 'I';
/**
 * `value`: the number that the item showed; null if unknown or a bullet. `start`: the first number of its list if no
 * item shows one. `list`: the list's name, shared by its items.
 */
export type ListItem = {
  level: number;
  kind: ListKind;
  value: number | null;
  start: number;
  list: string;
  nodes: Node[];
};

type OpenList = { level: number; kind: ListKind; list: string; element: Element; nextNumber: number };

/** Builds nested lists from consecutive items by their levels, and inserts them before `place`. */
export function buildLists(place: Node, items: ListItem[]): void {
  const document = place.ownerDocument as Document;
  let openLists: OpenList[] = [];
  for (const item of items) {
    openLists = openLists.filter(({ level }) => level <= item.level);
    const last = openLists.at(-1);
    if (last?.level === item.level && !continuesList(last, item)) openLists.pop();
    if (openLists.at(-1)?.level !== item.level) openLists.push(startList(document, place, openLists.at(-1), item));
    const current = openLists.at(-1);
    if (!current) continue;
    const entry = document.createElement('li');
    appendAll(entry, item.nodes);
    current.element.appendChild(entry);
    current.nextNumber = (item.value ?? current.nextNumber) + 1;
  }
}

/** A number out of sequence begins another list, as does another kind of marker. */
const continuesList = (open: OpenList, { kind, value, list }: ListItem): boolean =>
  open.kind === kind && (kind === 'bullet' || (value === null ? open.list === list : value === open.nextNumber));

function startList(document: Document, place: Node, parentList: OpenList | undefined, item: ListItem): OpenList {
  const { level, kind, list } = item;
  const element = document.createElement(kind === 'bullet' ? 'ul' : 'ol');
  if (kind !== 'bullet' && kind !== '1') element.setAttribute('type', kind);
  const start = item.value ?? item.start;
  if (kind !== 'bullet' && start !== 1) element.setAttribute('start', String(start));
  const parent = parentList?.element.lastElementChild;
  if (parent) parent.appendChild(element);
  else insertBefore(place, element);
  return { level, kind, list, element, nextNumber: start };
}

const ROMAN = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** 4 for "iv"; null for letters that are not a Roman numeral. */
export function romanValue(text: string): number | null {
  const letters = text.toLowerCase();
  if (!/^m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/.test(letters) || letters === '') return null;
  const values = [...letters].map((letter) => ROMAN[letter as keyof typeof ROMAN]);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

/** 3 for "c", 27 for "aa" (after "z", Word repeats each letter). */
export function letterValue(text: string): number | null {
  const [first = ''] = text.toLowerCase();
  if (!/^[a-z]$/.test(first) || text.toLowerCase() !== first.repeat(text.length)) return null;
  return first.charCodeAt(0) - 96 + 26 * (text.length - 1);
}

/** The number of a marker such as "1.2.", "(iv)" or "c)", read as its list's kind. */
export function valueOfMarker(marker: string, kind: ListKind): number | null {
  const word = marker.match(/[\da-z]+/gi)?.at(-1) ?? '';
  if (kind === 'bullet') return null;
  if (kind === '1') return /^\d+$/.test(word) ? Number(word) : null;
  return kind === 'i' || kind === 'I' ? romanValue(word) : letterValue(word);
}

/** The kind of a list, judged by one marker alone: "1.", "a)", "(iv)"; anything else is a bullet. */
export function kindOfMarker(marker: string): ListKind {
  const [, word] = /^\(?(?:\d+\.)*(\d+|[a-z]{1,7})(?:[.):]|\.\))$/i.exec(marker.trim()) ?? [];
  if (word === undefined) return /^\d+$/.test(marker.trim()) ? '1' : 'bullet';
  if (/^\d+$/.test(word)) return '1';
  const isUpper = word === word.toUpperCase();
  const isRoman = romanValue(word) !== null && (word.length > 1 || /^i$/i.test(word));
  if (isRoman) return isUpper ? 'I' : 'i';
  if (letterValue(word) === null) return 'bullet';
  return isUpper ? 'A' : 'a';
}
