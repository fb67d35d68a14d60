import type { Nodes } from 'hast';
import { parseHtml } from './parse-html.ts';

const BLOCKS = new Set(
  'p h1 h2 h3 h4 h5 h6 li ul ol blockquote pre table thead tbody tr td th hr br img div figure'.split(' '),
);
/** What stands between these is no word of the text. */
const UNREAD = new Set(['script', 'style']);
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The words of a text without its markup: what is a new line on the page is a space here. None where it cannot be read: one
 * such text must not keep the others from being listed.
 */
export function plainText(html: string): string {
  const parts: string[] = [];
  try {
    collect(parseHtml(html), parts);
  } catch (cause) {
    if (cause instanceof RangeError) return '';
    throw cause;
  }
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function collect(node: Nodes, parts: string[]): void {
  if (node.type === 'text') parts.push(node.value);
  if (!('children' in node) || (node.type === 'element' && UNREAD.has(node.tagName))) return;
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

/** So much of a text is read at first: twenty times what is shown of it, so that a long one is not read to its end. */
const BEGINNING = 3000;
/** What was cut off there may have been in the middle of a tag, an entity or a character: so much must lie between. */
const MARGIN = 500;

/** How much of an article a card shows: among the latest, and where all of a blog's posts are. */
export const LATEST_EXCERPT = 120;
export const BLOG_EXCERPT = 150;

/** The first characters of a text's words. */
export function excerptOf(html: string, length: number): string {
  const words = plainText(html.slice(0, BEGINNING));
  const excerpt = cutText(words, length);
  const isEnough = html.length <= BEGINNING || words.length - excerpt.length > MARGIN;
  return isEnough ? excerpt : cutText(plainText(html), length);
}
