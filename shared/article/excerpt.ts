import type { Nodes } from 'hast';
import { parseHtml } from './clean-html.ts';

const BLOCKS = new Set(
  'p h1 h2 h3 h4 h5 h6 li ul ol blockquote pre table thead tbody tr td th hr br img div figure'.split(' '),
);
/** Elements whose content is not article text. */
const SKIPPED = new Set(['script', 'style']);
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the text without markup; a line break on the page becomes a space. Returns '' if the text cannot be parsed,
 * so that one bad text does not break a list.
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
  if (!('children' in node) || (node.type === 'element' && SKIPPED.has(node.tagName))) return;
  const isBlock = node.type === 'element' && BLOCKS.has(node.tagName);
  if (isBlock) parts.push(' ');
  for (const child of node.children) collect(child, parts);
  if (isBlock) parts.push(' ');
}

/**
 * Returns at most the first `length` characters (grapheme clusters), with "…" if the text was cut: after its last whole
 * word, or within a first word that is too long.
 */
export function cutText(text: string, length: number): string {
  // A grapheme is at least one UTF-16 unit long.
  if (text.length <= length) return text;
  let end = 0;
  let count = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    if (count === length) return `${dropPartialWord(text.slice(0, end), segment)}…`;
    end = index + segment.length;
    count++;
  }
  return text;
}

/** `next`: the character after the cut. Text without spaces, such as Japanese, can be cut anywhere. */
function dropPartialWord(prefix: string, next: string): string {
  const space = prefix.lastIndexOf(' ');
  return (next.trim() === '' || space <= 0 ? prefix : prefix.slice(0, space)).trimEnd();
}

/** Number of characters to parse first, twenty times an excerpt's length, to avoid parsing a whole long article. */
const PREFIX_LENGTH = 3000;
/** The cut may split a tag, an entity or a character, so the excerpt must end this many characters before it. */
const MARGIN = 500;

/** Excerpt lengths in the latest posts and in the blog's full list. */
export const LATEST_EXCERPT = 120;
export const BLOG_EXCERPT = 150;

/** Returns the first `length` characters of the text without markup. */
export function excerptOf(html: string, length: number): string {
  const text = plainText(html.slice(0, PREFIX_LENGTH));
  const excerpt = cutText(text, length);
  const isEnough = html.length <= PREFIX_LENGTH || text.length - excerpt.length > MARGIN;
  return isEnough ? excerpt : cutText(plainText(html), length);
}
