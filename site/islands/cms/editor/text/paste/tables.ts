import { insertBefore, renameElement, replaceWithNodes } from '../dom.ts';
import { type ClassRules, isBlank, styleOf } from './declarations.ts';

const cellsOf = (table: Element): Element[] =>
  [...table.querySelectorAll('td, th')].filter((cell) => cell.closest('table') === table);
const rowsOf = (table: Element): Element[] =>
  [...table.querySelectorAll('tr')].filter((row) => row.closest('table') === table);

/** Keeps tables of data; tables that only lay out text, as in emails, are replaced by their content. */
export function tidyTables(body: Element, rules: ClassRules): void {
  // From the inside out, so that inner tables are converted before the outer table is examined.
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    moveCaptionBefore(table);
    for (const column of table.querySelectorAll('colgroup, col')) column.remove();
    for (const row of rowsOf(table)) if (row.children.length === 0) row.remove();
    if (isLayout(table)) {
      replaceWithCells(table);
      continue;
    }
    for (const cell of cellsOf(table)) setAlignment(cell, rules);
    for (const cell of table.querySelectorAll('thead td')) convertToHeader(cell);
    dropEmptyEnds(table);
  }
}

function convertToHeader(cell: Element): void {
  const attributes = ['align', 'colspan', 'rowspan'].map((name) => [name, cell.getAttribute(name)] as const);
  const header = renameElement(cell, 'th');
  for (const [name, value] of attributes) if (value !== null) header.setAttribute(name, value);
}

/** Turns a caption into a paragraph before the table, since article tables have no captions. */
function moveCaptionBefore(table: Element): void {
  for (const caption of table.querySelectorAll(':scope > caption')) {
    if (!isBlank(caption)) insertBefore(table, renameElement(caption, 'p'));
    caption.remove();
  }
}

function isLayout(table: Element): boolean {
  if (/^(?:presentation|none)$/.test(table.getAttribute('role') ?? '')) return true;
  const isNested = table.parentElement?.closest('table') != null;
  return table.querySelector('table') !== null || cellsOf(table).length < 2 || (isNested && !table.querySelector('th'));
}

function replaceWithCells(table: Element): void {
  const parts = cellsOf(table).map((cell) => renameElement(cell, 'div'));
  replaceWithNodes(table, parts);
}

/** Reads the alignment from the cell's attribute, style or class, or else from all of its paragraphs. */
function setAlignment(cell: Element, rules: ClassRules): void {
  const blocks = [...cell.children].filter(({ tagName }) => tagName === 'P' || tagName === 'DIV');
  const alignments = new Set(blocks.map((block) => alignmentOf(block, rules)));
  const alignment = alignmentOf(cell, rules) || (alignments.size === 1 ? [...alignments].join('') : '');
  if (alignment === 'right' || alignment === 'center') cell.setAttribute('align', alignment);
  else cell.removeAttribute('align');
}

const alignmentOf = (element: Element, rules: ClassRules): string =>
  styleOf(element, rules).get('text-align') ?? element.getAttribute('align')?.toLowerCase() ?? '';

/** A copied sheet often ends with empty rows. */
function dropEmptyEnds(table: Element): void {
  for (let row = rowsOf(table).at(-1); row && isBlank(row); row = rowsOf(table).at(-1)) row.remove();
  if (rowsOf(table).length === 0) table.remove();
}
