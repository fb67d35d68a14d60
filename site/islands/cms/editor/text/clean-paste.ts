/**
 * HTML from a word processor, reduced to its meaning. The editor drops unknown attributes; this first turns styles into
 * elements, so that their meaning is not lost.
 */
export type Cleaned = { html: string; hasForeignPictures: boolean };

const GONE = 'script, style, meta, link, title, head, template, noscript, iframe, object, embed, svg, math, xml, o\\:p';

export function cleanPaste(html: string, origin: string): Cleaned {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const element of body.querySelectorAll(GONE)) element.remove();
  dropComments(body);
  const hasForeignPictures = dropForeignPictures(body, origin);
  for (const element of body.querySelectorAll<HTMLElement>('[style]')) sayByElement(element);
  listsOf(body);
  // Only the page's own title may be an h1.
  for (const heading of body.querySelectorAll<HTMLElement>('h1')) rename(heading, 'h2');
  return { html: body.innerHTML, hasForeignPictures };
}

function dropComments(body: HTMLElement): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

/** Our content policy would block pictures from other sites, and loading them would reveal readers to those sites. */
function dropForeignPictures(body: HTMLElement, origin: string): boolean {
  let isAny = false;
  for (const image of body.querySelectorAll('img')) {
    const source = image.getAttribute('src') ?? '';
    const url = URL.canParse(source, origin) ? new URL(source, origin) : null;
    if (url?.origin === origin && url.pathname.startsWith('/media/')) image.setAttribute('src', url.pathname);
    else {
      image.remove();
      isAny = true;
    }
  }
  return isAny;
}

/** Turns bold, italic and struck text from styles into elements. */
function sayByElement(element: HTMLElement): void {
  const { fontWeight, fontStyle, textDecoration } = styleOf(element);
  const isBlock = /^(p|div|h[1-6]|li|td|th|ul|ol|table|tr|blockquote|pre)$/i.test(element.tagName);
  const isBold = fontWeight === 'bold' || Number(fontWeight) >= 600;
  // Web editors wrap text in a <b> with a normal weight, which means that it is not bold.
  if (element.tagName === 'B' && !isBold && fontWeight !== '') {
    unwrap(element);
    return;
  }
  if (isBlock) return;
  if (isBold && element.tagName !== 'B' && element.tagName !== 'STRONG') wrapInside(element, 'strong');
  if (fontStyle === 'italic') wrapInside(element, 'em');
  if (textDecoration.includes('line-through')) wrapInside(element, 'del');
}

/** Parsed from the attribute's text, since our content policy blocks style attributes. */
function styleOf(element: HTMLElement): CSSStyleDeclaration {
  const { style } = document.createElement('span');
  style.cssText = element.getAttribute('style') ?? '';
  return style;
}

const isMark = /^\s*(?:[·•○▪§o-]|\(?\d{1,3}[.)]|\(?[a-z][.)])(?:\s|\u00a0)+/i;

/** Turns paragraphs that Word marks as list items (each with a typed bullet or number) into lists. */
function listsOf(body: HTMLElement): void {
  for (const first of body.querySelectorAll<HTMLElement>('p[class*="MsoListParagraph"]')) {
    if (!first.isConnected && !body.contains(first)) continue;
    if (first.previousElementSibling?.hasAttribute('data-made')) {
      moveInto(first.previousElementSibling, first);
      continue;
    }
    const isNumbered = /^\s*\(?[\da-z]{1,3}[.)]/i.test(first.textContent ?? '');
    const list = body.ownerDocument.createElement(isNumbered ? 'ol' : 'ul');
    list.setAttribute('data-made', '');
    first.parentNode?.insertBefore(list, first);
    moveInto(list, first);
  }
  for (const list of body.querySelectorAll('[data-made]')) list.removeAttribute('data-made');
}

function moveInto(list: Node, paragraph: HTMLElement): void {
  const item = paragraph.ownerDocument.createElement('li');
  moveChildren(paragraph, item);
  dropMark(item);
  list.appendChild(item);
  paragraph.remove();
}

function dropMark(item: HTMLElement): void {
  const found = isMark.exec(item.textContent ?? '')?.[0].length ?? 0;
  const walker = item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT);
  for (let left = found; left > 0 && walker.nextNode(); ) {
    const text = walker.currentNode;
    const length = text.nodeValue?.length ?? 0;
    text.nodeValue = text.nodeValue?.slice(left) ?? '';
    left -= length;
  }
}

function moveChildren(from: Node, to: Node): void {
  while (from.firstChild) to.appendChild(from.firstChild);
}

function unwrap(element: Node): void {
  const { parentNode } = element;
  while (element.firstChild) parentNode?.insertBefore(element.firstChild, element);
  parentNode?.removeChild(element);
}

function wrapInside(element: HTMLElement, name: string): void {
  const inner = element.ownerDocument.createElement(name);
  moveChildren(element, inner);
  element.appendChild(inner);
}

function rename(element: HTMLElement, name: string): void {
  const other = element.ownerDocument.createElement(name);
  moveChildren(element, other);
  element.parentNode?.replaceChild(other, element);
}
