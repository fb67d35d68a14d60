import type { Element, ElementContent, Root } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { ArticleKind, Picture } from '#shared/contracts/content/content';
import { srcsetOf, textSizes } from './article-page.ts';
import { cleanHtml, parseHtml } from './clean-html.ts';

/**
 * Renders a stored text for the site: cleaned again in case the database was changed manually, with picture sizes, wide
 * tables in a scrolling frame, and headings below the page's own. Returns a notice if the text cannot be parsed.
 */
export function articleHtml(kind: ArticleKind, storedHtml: string, pictures: ReadonlyMap<string, Picture>): string {
  const cleaned = cleanHtml(storedHtml);
  if (cleaned.kind !== 'clean') return `<p>Failed to fetch ${kind}</p>`;
  const tree = parseHtml(cleaned.html);
  transformChildren(tree, pictures);
  const frames = framesIn(tree);
  // Screen reader users cannot distinguish regions with the same name.
  if (frames.length > 1) {
    for (const [index, { properties }] of frames.entries()) properties.ariaLabel = `${TABLE_LABEL} ${index + 1}`;
  }
  return toHtml(tree);
}

const TABLE_LABEL = 'Table';

const framesIn = (parent: Root | Element): Element[] =>
  parent.children.flatMap((child) => {
    if (child.type !== 'element') return [];
    return child.properties.ariaLabel === TABLE_LABEL ? [child] : framesIn(child);
  });

function transformChildren(parent: Root | Element, pictures: ReadonlyMap<string, Picture>): void {
  parent.children = parent.children.flatMap((child) => {
    if (child.type !== 'element') return child;
    if (child.tagName === 'img' && isDeletedFile(String(child.properties.src), pictures)) return [];
    transformChildren(child, pictures);
    return transform(child, pictures);
  }) as typeof parent.children;
}

function transform(element: Element, pictures: ReadonlyMap<string, Picture>): ElementContent {
  switch (element.tagName) {
    case 'h1':
      return { ...element, tagName: 'h2' };
    case 'img':
      return transformImage(element, pictures.get(String(element.properties.src)));
    case 'table':
      return frameTable(element);
    case 'th':
      // An empty cell is not a heading.
      return isEmpty(element) ? { ...element, tagName: 'td' } : element;
    case 'pre':
      return { ...element, properties: { ...element.properties, tabIndex: 0 } };
    default:
      return element;
  }
}

/** True for a file that was deleted from our library and would show as a broken picture. */
function isDeletedFile(src: string, pictures: ReadonlyMap<string, Picture>): boolean {
  const [path] = /^\/media\/[^?#]*/.exec(src) ?? [];
  if (path === undefined || pictures.has(path)) return false;
  return ![...pictures.values()].some(({ variants }) => variants.some(({ url }) => url === path));
}

function transformImage(element: Element, picture: Picture | undefined): Element {
  const { alt = '', role } = element.properties;
  const isDescribed = alt !== '' || role === 'presentation';
  const sizes = picture && {
    width: picture.width,
    height: picture.height,
    ...(picture.variants.length > 0 ? { srcSet: srcsetOf(picture), sizes: textSizes } : {}),
  };
  return {
    ...element,
    properties: {
      ...element.properties,
      ...sizes,
      alt: isDescribed || !picture ? alt : picture.alt,
      loading: 'lazy',
      decoding: 'async',
    },
  };
}

const frameTable = (table: Element): Element => ({
  type: 'element',
  tagName: 'div',
  properties: { className: ['table-frame'], role: 'region', ariaLabel: TABLE_LABEL, tabIndex: 0 },
  children: [table],
});

const isEmpty = (node: ElementContent): boolean =>
  node.type === 'text'
    ? node.value.trim() === ''
    : node.type !== 'element' || (node.tagName !== 'img' && node.children.every(isEmpty));
