import { unwrap } from '../dom.ts';
import { readDeclarations } from './declarations.ts';
import { buildLists, type ListItem, type ListKind } from './list-builder.ts';

const TYPES: Record<string, ListKind> = {
  'lower-alpha': 'a',
  'lower-latin': 'a',
  'upper-alpha': 'A',
  'upper-latin': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
};

/**
 * Joins the lists of Word for the web, which puts each item into its own list, side by side, and writes the level into
 * an attribute.
 */
export function joinFlatLists(body: Element): void {
  const wrappers = [...body.querySelectorAll('.ListContainerWrapper')];
  const lists = new Set(wrappers.flatMap((wrapper) => [...wrapper.children].filter(isList)));
  for (const wrapper of wrappers) unwrap(wrapper);
  let adjacentLists: Element[] = [];
  const joinAdjacentLists = () => {
    const [first] = adjacentLists;
    if (first) buildLists(first, adjacentLists.flatMap(itemsOf));
    for (const list of adjacentLists) list.remove();
    adjacentLists = [];
  };
  for (const list of lists) {
    if (adjacentLists.length > 0 && adjacentLists.at(-1) !== list.previousElementSibling) joinAdjacentLists();
    adjacentLists.push(list);
  }
  joinAdjacentLists();
}

const isList = ({ tagName }: Element): boolean => tagName === 'UL' || tagName === 'OL';

const itemsOf = (list: Element): ListItem[] =>
  [...list.children].map((item, index) => {
    const kind = list.tagName === 'UL' ? 'bullet' : (typeOf(list) ?? '1');
    return {
      level: Number(item.getAttribute('data-aria-level') ?? item.getAttribute('aria-level') ?? 1),
      kind,
      value: kind === 'bullet' ? null : Number(list.getAttribute('start') ?? 1) + index,
      start: 1,
      list: item.getAttribute('data-listid') ?? '',
      nodes: [...item.childNodes],
    };
  });

/** Sets `type` and `start` of lists, which programs often write as styles or as the first item's `value`. */
export function setListTypes(body: Element): void {
  for (const list of body.querySelectorAll('ol')) {
    const type = typeOf(list);
    if (type) list.setAttribute('type', type);
    else list.removeAttribute('type');
    const value = Number(list.querySelector(':scope > li')?.getAttribute('value') ?? '');
    if (value > 1 && !list.hasAttribute('start')) list.setAttribute('start', String(value));
  }
}

/** Returns the kind of a numbered list; null for digits. */
function typeOf(list: Element): ListKind | null {
  const attribute = list.getAttribute('type') ?? '';
  if (/^[aAiI]$/.test(attribute)) return attribute as ListKind;
  for (const element of [list.querySelector(':scope > li'), list]) {
    const style = readDeclarations(element?.getAttribute('style') ?? '');
    const type = TYPES[style.get('list-style-type') ?? style.get('list-style')?.split(' ')[0] ?? ''];
    if (type) return type;
  }
  return null;
}

/** Converts Google's checklists, which mark items by a role, into ours, which use an attribute. */
export function convertCheckLists(body: Element): void {
  for (const item of body.querySelectorAll('li[role="checkbox"]')) {
    item.setAttribute('data-item-type', 'task');
    item.setAttribute('data-checked', String(item.getAttribute('aria-checked') === 'true'));
    for (const box of item.querySelectorAll(':scope > img')) box.remove();
  }
}
