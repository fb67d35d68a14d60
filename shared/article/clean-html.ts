import type { Element, Nodes, Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { type Schema, sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parseFragment, type TreeAdapter } from 'parse5';
import { contentLimits } from '#shared/limits';
import { linkSchemes, splitHref } from './href.ts';

const MAX_DEPTH = 200;
/** Maximum number of characters by which tags inserted by the parser may extend the text. */
const MAX_ADDED = 30_000;

/**
 * Parses HTML like a browser with scripts disabled. Source positions are omitted because they double the memory. Throws
 * RangeError if the text nests too deeply or would grow too much.
 */
export function parseHtml(html: string): Root {
  const tree = fromParse5(
    parseFragment(html, { scriptingEnabled: false, treeAdapter: boundedAdapter(html.length + MAX_ADDED) }),
  );
  if (tree.type !== 'root') throw new TypeError(`a text was read as ${tree.type}`);
  return tree;
}

/**
 * Limits the depth and the total length of the tags that the parser opens. A tag left open in one paragraph is reopened
 * in each following one, with all its attributes. Without a limit, a few kilobytes would become gigabytes.
 */
function boundedAdapter(maxTagLength: number): TreeAdapter<DefaultTreeAdapterMap> {
  // The parser's root does not count.
  let depth = -1;
  let tagLength = 0;
  return {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      tagLength += attributes.reduce((sum, { name, value }) => sum + name.length + value.length + 1, name.length + 2);
      if (tagLength > maxTagLength) throw new RangeError('tags are opened again too often');
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    onItemPush() {
      if (++depth > MAX_DEPTH) throw new RangeError('tags are nested too deeply');
    },
    onItemPop() {
      depth--;
    },
  };
}

/**
 * HTML from a writer, a paste or an API call, reduced to the editor's elements. Uses one HTML5 parser and one tree, so
 * nothing is parsed in two ways. Loaded only to save a text and to build the site.
 */
export type CleanResult = { kind: 'clean'; html: string } | { kind: 'too-long' } | { kind: 'too-deep' };

const MAX_PASSES = 5;

const LANGUAGE = /^[\w+#.-]{1,30}$/;

const schema: Schema = {
  tagNames: `h1 h2 h3 h4 h5 h6 p br hr strong b em i del s code pre blockquote ul ol li a img
    table thead tbody tr th td sub sup`.split(/\s+/),
  attributes: {
    a: ['href', 'title'],
    // The role marks a decorative image, which needs no description.
    img: ['src', 'alt', 'title', 'width', 'height', ['role', 'presentation']],
    ol: ['start', ['type', 'a', 'A', 'i', 'I']],
    li: [
      ['dataItemType', 'task'],
      ['dataChecked', 'true', 'false'],
      ['dataListType', 'ordered'],
      ['dataLabel', /^\d{1,9}\.$/],
    ],
    pre: [['dataLanguage', LANGUAGE]],
    code: [['className', /^language-[\w+#.-]{1,30}$/]],
    th: [['align', 'center', 'right'], 'colSpan', 'rowSpan'],
    td: [['align', 'center', 'right'], 'colSpan', 'rowSpan'],
  },
  protocols: { href: linkSchemes, src: ['http', 'https'] },
  ancestors: {
    li: ['ol', 'ul'],
    tbody: ['table'],
    thead: ['table'],
    tr: ['table'],
    th: ['table'],
    td: ['table'],
  },
  // Removed with their content, which would otherwise show as text in the article.
  strip: `script style template noscript iframe object embed svg math title textarea select option xmp noembed noframes
    plaintext head audio video canvas`.split(/\s+/),
  required: {},
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
};

const isTooLong = (text: string): boolean =>
  text.length > contentLimits.content || new TextEncoder().encode(text).length > contentLimits.content;

export function cleanHtml(dirty: string): CleanResult {
  if (isTooLong(dirty)) return { kind: 'too-long' };
  try {
    // Unwrapping a tag can leave elements in invalid places, so clean until nothing changes.
    for (let [text, pass] = [dirty, 0]; pass < MAX_PASSES; pass++) {
      const next = cleanOnce(text);
      // Escaping lengthens a text. It is cleaned again before display, so the result must not exceed the limit.
      if (isTooLong(next)) return { kind: 'too-long' };
      if (next === text) return { kind: 'clean', html: next };
      text = next;
    }
    return { kind: 'too-deep' };
  } catch (cause) {
    // Thrown by the limits of `boundedAdapter`, or by a recursive walk of a tree that is too deep.
    if (cause instanceof RangeError) return { kind: 'too-deep' };
    throw cause;
  }
}

function cleanOnce(html: string): string {
  const tree = parseHtml(html);
  moveCaptionsBeforeTables(tree);
  visit(tree, alignCells);
  visit(tree, normalizeAddresses);
  const clean = sanitize(tree, schema);
  visit(clean, removeImagesWithoutSource);
  if (clean.type === 'root') trimEnd(clean);
  return toHtml(clean);
}

/** Article tables have no captions: a caption becomes a paragraph before the table, where editors can change it. */
function moveCaptionsBeforeTables(parent: Root | Element): void {
  const children: Root['children'] = [];
  for (const child of parent.children) {
    if (child.type === 'element') moveCaptionsBeforeTables(child);
    if (child.type === 'element' && child.tagName === 'table') children.push(...takeCaptions(child));
    children.push(child);
  }
  parent.children = children as typeof parent.children;
}

function takeCaptions(table: Element): Element[] {
  const captions: Element[] = [];
  table.children = table.children.filter((part) => {
    if (part.type !== 'element' || part.tagName !== 'caption') return true;
    captions.push({ ...part, tagName: 'p', properties: {} });
    return false;
  });
  return captions;
}

/** Editors write a cell's alignment as a style, which the content policy blocks; `left` is the default anyway. */
function alignCells(element: Element): void {
  if (element.tagName !== 'td' && element.tagName !== 'th') return;
  const style = String(element.properties.style ?? '');
  const [, align] = /(?:^|;)\s*text-align\s*:\s*(center|right)\s*(?:;|$)/i.exec(style) ?? [];
  if (align) element.properties.align = align.toLowerCase();
}

/** Lower-cases schemes, because the sanitizer compares them case-sensitively. */
function normalizeAddresses({ properties }: Element): void {
  for (const name of ['href', 'src'])
    if (typeof properties[name] === 'string') properties[name] = splitHref(properties[name]).href;
}

/** Removes images whose URL was refused, because browsers could not show them. */
function removeImagesWithoutSource(element: Element): void {
  element.children = element.children.filter(
    (child) => child.type !== 'element' || child.tagName !== 'img' || child.properties.src,
  );
}

function visit(node: Nodes, change: (element: Element) => void): void {
  if (node.type === 'element') change(node);
  if ('children' in node) for (const child of node.children) visit(child, change);
}

const isEmpty = (node: Root['children'][number]): boolean =>
  (node.type === 'text' && node.value.trim() === '') ||
  (node.type === 'element' &&
    node.tagName === 'p' &&
    node.children.every((child) => isEmpty(child) || (child.type === 'element' && child.tagName === 'br')));

/** Removes top-level images whose URL was refused, and the empty paragraph that editors append. */
function trimEnd(root: Root): void {
  root.children = root.children.filter(
    (child) => child.type !== 'element' || child.tagName !== 'img' || child.properties.src,
  );
  for (let last = root.children.at(-1); last && isEmpty(last); last = root.children.at(-1)) root.children.pop();
}
