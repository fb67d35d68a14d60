import { putBefore, rename, replaceBy } from '../dom.ts';
import { type ClassRules, isBlank, lookOf } from './declarations.ts';

const cellsOf = (table: Element): Element[] =>
  [...table.querySelectorAll('td, th')].filter((cell) => cell.closest('table') === table);
const rowsOf = (table: Element): Element[] =>
  [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table);

/** Tables of data stay tables; those that only place text on a page (mails are built of them) give up their text. */
export function tidyTables(body: Element, rules: ClassRules): void {
  // From the inside out, so that a table around another one is judged by what is left.
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    raiseCaption(table);
    for (const column of table.querySelectorAll('colgroup, col')) column.remove();
    for (const row of rowsOf(table)) if (row.children.length === 0) row.remove();
    if (isLayout(table)) {
      flatten(table);
      continue;
    }
    for (const cell of cellsOf(table)) align(cell, rules);
    for (const cell of table.querySelectorAll('thead td')) turnIntoHead(cell);
    dropEmptyEnds(table);
  }
}

function turnIntoHead(cell: Element): void {
  const attributes = ['align', 'colspan', 'rowspan'].map((name) => [name, cell.getAttribute(name)] as const);
  const head = rename(cell, 'th');
  for (const [name, value] of attributes) if (value !== null) head.setAttribute(name, value);
}

/** An article's table has no caption: it becomes a paragraph before the table. */
function raiseCaption(table: Element): void {
  for (const caption of table.querySelectorAll(':scope > caption')) {
    if (!isBlank(caption)) putBefore(table, rename(caption, 'p'));
    caption.remove();
  }
}

function isLayout(table: Element): boolean {
  if (/^(?:presentation|none)$/.test(table.getAttribute('role') ?? '')) return true;
  const isInside = table.parentElement?.closest('table') != null;
  return table.querySelector('table') !== null || cellsOf(table).length < 2 || (isInside && !table.querySelector('th'));
}

function flatten(table: Element): void {
  const parts = cellsOf(table).map((cell) => rename(cell, 'div'));
  replaceBy(table, parts);
}

/** Alignment is said by the cell's attribute, its style or class, or by all of its paragraphs. */
function align(cell: Element, rules: ClassRules): void {
  const blocks = [...cell.children].filter(({ tagName }) => tagName === 'P' || tagName === 'DIV');
  const said = new Set(blocks.map((block) => alignmentOf(block, rules)));
  const own = alignmentOf(cell, rules) || (said.size === 1 ? [...said].join('') : '');
  if (own === 'right' || own === 'center') cell.setAttribute('align', own);
  else cell.removeAttribute('align');
}

const alignmentOf = (element: Element, rules: ClassRules): string =>
  lookOf(element, rules).get('text-align') ?? element.getAttribute('align')?.toLowerCase() ?? '';

/** A copied sheet often ends with empty rows. */
function dropEmptyEnds(table: Element): void {
  for (let row = rowsOf(table).at(-1); row && isBlank(row); row = rowsOf(table).at(-1)) row.remove();
  if (rowsOf(table).length === 0) table.remove();
}
