import { putBefore, rename, replaceBy, unwrap } from '../dom.ts';
import { nestLists } from '../nested-lists.ts';
import { isBlank, readClassRules, readDeclarations, styleSheet } from './declarations.ts';
import { sayLookByElements } from './inline-look.ts';
import { tidyLinks } from './links.ts';
import { joinFlatLists, sayCountByAttributes, turnCheckLists } from './other-lists.ts';
import { type PastedPictures, takePictures } from './pictures.ts';
import { tidyTables } from './tables.ts';
import { readLevelRules, turnWordLists } from './word-lists.ts';

export type Cleaned = { html: string; pictures: PastedPictures };

const GONE =
  'script, style, meta, link, title, base, template, noscript, iframe, object, embed, svg, math, xml, button, select, textarea, input, audio, video, canvas, nav, .EOP, [hidden], [aria-hidden="true"]';

/**
 * Text that was copied elsewhere, as an article says it: the same rules for word processors, spreadsheets, mails and
 * web pages. Only looks that carry meaning stay, as elements. The editor's schema and the server's sanitiser drop the
 * rest.
 *
 * @param document What was copied, parsed and not shown anywhere.
 * @param origin The site's own origin: its links and pictures stay.
 */
export function cleanPaste(document: Document, origin: string): Cleaned {
  const { body } = document;
  // Text of this editor needs no translation.
  if (body.querySelector('[data-pm-slice]')) return { html: body.innerHTML, pictures: takePictures(body, origin) };
  const sheet = styleSheet(document);
  const rules = readClassRules(sheet);
  tidyLinks(body, origin);
  dropUnseen(body);
  turnWordLists(body, readLevelRules(sheet));
  dropComments(body);
  unwrapPrograms(body);
  turnCheckLists(body);
  const pictures = takePictures(body, origin);
  turnCode(body);
  joinFlatLists(body);
  nestLists(body);
  sayCountByAttributes(body);
  tidyTables(body, rules);
  sayLookByElements(body, rules);
  nameBlocks(body);
  dropEmpty(body);
  return { html: body.innerHTML, pictures };
}

/** Removes all that the program did not show as text. */
function dropUnseen(body: Element): void {
  for (const element of [...body.querySelectorAll(GONE)]) element.remove();
  for (const element of [...body.querySelectorAll('[style]')]) {
    const said = readDeclarations(element.getAttribute('style') ?? '');
    const isHidden =
      said.get('display') === 'none' || said.get('mso-hide') === 'all' || said.get('visibility') === 'hidden';
    if (isHidden || said.get('mso-element') === 'comment-list') element.remove();
  }
}

function dropComments(body: Element): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

/** Elements of a program's own ("o:p", "st1:place", "google-sheets-html-origin") give up their text. */
function unwrapPrograms(body: Element): void {
  for (const element of [...body.querySelectorAll('*')]) {
    if (/[:-]/.test(element.tagName)) unwrap(element);
    else if (element.matches('.Apple-converted-space')) replaceBy(element, [body.ownerDocument.createTextNode(' ')]);
  }
}

/** Code editors copy lines as blocks in a font of equal widths. */
function turnCode(body: Element): void {
  for (const element of [...body.querySelectorAll('div[style]')]) {
    const said = readDeclarations(element.getAttribute('style') ?? '');
    if (!/^pre/.test(said.get('white-space') ?? '') || !/mono|consolas|courier/.test(said.get('font-family') ?? ''))
      continue;
    const lines = [...element.children].map((line) => line.textContent ?? '');
    const code = element.ownerDocument.createElement('pre');
    code.textContent = lines.length > 0 ? lines.join('\n') : element.textContent;
    replaceBy(element, [code]);
  }
}

/** Blocks by their role. Only the page's own title may be an h1. */
function nameBlocks(body: Element): void {
  for (const title of [...body.querySelectorAll('h1, p.MsoTitle')]) rename(title, 'h2');
  for (const quote of [...body.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')]) {
    const block = body.ownerDocument.createElement('blockquote');
    putBefore(quote, block);
    block.appendChild(quote);
  }
}

const BLOCK = /^(?:P|DIV|H[1-6]|UL|OL|TABLE|BLOCKQUOTE|PRE|HR|SECTION|ARTICLE)$/;

/** Programs space their text by empty paragraphs and line ends between blocks; the site spaces it by itself. */
function dropEmpty(body: Element): void {
  for (const end of [...body.querySelectorAll('br.Apple-interchange-newline')]) end.remove();
  for (const block of [...body.querySelectorAll('p, div, h2, h3, h4, h5, h6, blockquote, li, ul, ol')].reverse()) {
    if (isBlank(block) && block.querySelector('ul, ol, pre') === null) block.remove();
  }
  for (const end of [...body.querySelectorAll('br')]) if (isBetweenBlocks(end)) end.remove();
}

function isBetweenBlocks(end: Element): boolean {
  let before = end.previousSibling;
  while (before?.nodeType === Node.TEXT_NODE && before.nodeValue?.trim() === '') before = before.previousSibling;
  return before instanceof Element && BLOCK.test(before.tagName);
}
