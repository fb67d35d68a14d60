import type { Nodes } from 'hast';
import { fromHtml } from 'hast-util-from-html';

const BLOCKS = new Set(
  'p h1 h2 h3 h4 h5 h6 li ul ol blockquote pre table thead tbody tr td th hr br img div figure'.split(' '),
);
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The words of a text without its markup: what is a new line on the page is a space here. */
export function plainText(html: string): string {
  const parts: string[] = [];
  collect(fromHtml(html, { fragment: true }), parts);
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function collect(node: Nodes, parts: string[]): void {
  if (node.type === 'text') parts.push(node.value);
  if (!('children' in node)) return;
  const isBlock = node.type === 'element' && BLOCKS.has(node.tagName);
  if (isBlock) parts.push(' ');
  for (const child of node.children) collect(child, parts);
  if (isBlock) parts.push(' ');
}

/** The first characters of a text, as people count them: none is ever taken apart. */
export function cutText(text: string, length: number): string {
  // No character is shorter than one unit.
  if (text.length <= length) return text;
  let end = 0;
  let count = 0;
  for (const { index, segment } of letters.segment(text)) {
    if (count === length) return `${text.slice(0, end).trimEnd()}…`;
    end = index + segment.length;
    count++;
  }
  return text;
}
