import { insertBefore, renameElement, replaceWithNodes, unwrap } from '../dom.ts';
import { nestLists } from '../nested-lists.ts';
import { isBlank, readClassRules, readDeclarations, styleSheet } from './declarations.ts';
import { convertInlineStyles } from './inline-look.ts';
import { tidyLinks } from './links.ts';
import { convertCheckLists, joinFlatLists, setListTypes } from './other-lists.ts';
import { type PastedPictures, takePictures } from './pictures.ts';
import { tidyTables } from './tables.ts';
import { convertWordLists, readLevelRules } from './word-lists.ts';

export type CleanedPaste = { html: string; pictures: PastedPictures };

const REMOVED =
  'script, style, meta, link, title, base, template, noscript, iframe, object, embed, svg, math, xml, button, select, textarea, input, audio, video, canvas, nav, .EOP, [hidden], [aria-hidden="true"]';

/**
 * Converts text copied from elsewhere into an article's HTML, with the same rules for word processors, spreadsheets,
 * emails and web pages. Only formatting that carries meaning stays, as elements. The editor's schema and the server's
 * sanitizer drop the rest.
 *
 * @param document The copied document, parsed but not on the page.
 * @param origin The site's own origin: its links and pictures stay.
 */
export function cleanPaste(document: Document, origin: string): CleanedPaste {
  const { body } = document;
  // Text from this editor needs no conversion.
  if (body.querySelector('[data-pm-slice]')) return { html: body.innerHTML, pictures: takePictures(body, origin) };
  const sheet = styleSheet(document);
  const rules = readClassRules(sheet);
  tidyLinks(body, origin);
  dropHidden(body);
  convertWordLists(body, readLevelRules(sheet));
  dropComments(body);
  unwrapPrograms(body);
  convertCheckLists(body);
  const pictures = takePictures(body, origin);
  convertCode(body);
  joinFlatLists(body);
  nestLists(body);
  setListTypes(body);
  tidyTables(body, rules);
  convertInlineStyles(body, rules);
  setBlockElements(body);
  dropEmpty(body);
  return { html: body.innerHTML, pictures };
}

/** Removes everything that the program did not show as text. */
function dropHidden(body: Element): void {
  for (const element of [...body.querySelectorAll(REMOVED)]) element.remove();
  for (const element of [...body.querySelectorAll('[style]')]) {
    const style = readDeclarations(element.getAttribute('style') ?? '');
    const isHidden =
      style.get('display') === 'none' || style.get('mso-hide') === 'all' || style.get('visibility') === 'hidden';
    if (isHidden || style.get('mso-element') === 'comment-list') element.remove();
  }
}

function dropComments(body: Element): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

/** Replaces a program's own elements ("o:p", "st1:place", "google-sheets-html-origin") with their content. */
function unwrapPrograms(body: Element): void {
  for (const element of [...body.querySelectorAll('*')]) {
    if (/[:-]/.test(element.tagName)) unwrap(element);
    else if (element.matches('.Apple-converted-space'))
      replaceWithNodes(element, [body.ownerDocument.createTextNode(' ')]);
  }
}

/** Restores code blocks: code editors copy lines as blocks in a monospaced font. */
function convertCode(body: Element): void {
  for (const element of [...body.querySelectorAll('div[style]')]) {
    const style = readDeclarations(element.getAttribute('style') ?? '');
    if (!/^pre/.test(style.get('white-space') ?? '') || !/mono|consolas|courier/.test(style.get('font-family') ?? ''))
      continue;
    const lines = [...element.children].map((line) => line.textContent ?? '');
    const code = element.ownerDocument.createElement('pre');
    code.textContent = lines.length > 0 ? lines.join('\n') : element.textContent;
    replaceWithNodes(element, [code]);
  }
}

/** Names blocks by their role. Only the page's own title may be an h1. */
function setBlockElements(body: Element): void {
  for (const title of [...body.querySelectorAll('h1, p.MsoTitle')]) renameElement(title, 'h2');
  for (const quote of [...body.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')]) {
    const block = body.ownerDocument.createElement('blockquote');
    insertBefore(quote, block);
    block.appendChild(quote);
  }
}

const BLOCK = /^(?:P|DIV|H[1-6]|UL|OL|TABLE|BLOCKQUOTE|PRE|HR|SECTION|ARTICLE)$/;

/** Removes empty paragraphs and line breaks between blocks. Programs use them as spacing; the site has its own. */
function dropEmpty(body: Element): void {
  for (const lineBreak of [...body.querySelectorAll('br.Apple-interchange-newline')]) lineBreak.remove();
  for (const block of [...body.querySelectorAll('p, div, h2, h3, h4, h5, h6, blockquote, li, ul, ol')].reverse()) {
    if (isBlank(block) && block.querySelector('ul, ol, pre') === null) block.remove();
  }
  for (const lineBreak of [...body.querySelectorAll('br')]) if (isBetweenBlocks(lineBreak)) lineBreak.remove();
}

function isBetweenBlocks(lineBreak: Element): boolean {
  let previous = lineBreak.previousSibling;
  while (previous?.nodeType === Node.TEXT_NODE && previous.nodeValue?.trim() === '')
    previous = previous.previousSibling;
  return previous instanceof Element && BLOCK.test(previous.tagName);
}
