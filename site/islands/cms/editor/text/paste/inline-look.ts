import { insertBefore, unwrap } from '../dom.ts';
import { type ClassRules, styleOf } from './declarations.ts';

type Format = {
  isBold: boolean;
  isItalic: boolean;
  strikeTag: 'del' | 's' | null;
  script: 'sub' | 'sup' | null;
  isCode: boolean;
};

const PLAIN: Format = { isBold: false, isItalic: false, strikeTag: null, script: null, isCode: false };
const BOLD = /^(?:B|STRONG)$/;
const ITALIC = /^(?:I|EM|CITE|DFN|VAR)$/;
const CODE = /^(?:CODE|KBD|SAMP|TT)$/;
/** Elements that only format text. They are replaced by elements for the format of each text. */
const FORMATTING =
  'b, strong, i, em, cite, dfn, var, s, strike, del, ins, u, sub, sup, code, kbd, samp, tt, font, span, big, small, mark, abbr, acronym, bdo, bdi, label, time, q';
/** Headings are bold already. */
const HEADING = /^(?:H[1-6]|TH)$/;

/** Expresses the format of each text with elements. For bold and italic, the nearest element that sets it decides. */
export function convertInlineStyles(body: Element, rules: ClassRules): void {
  const texts: { text: Text; format: Format }[] = [];
  collect(body, PLAIN, rules, texts);
  for (const element of [...body.querySelectorAll(FORMATTING)]) if (!element.closest('pre')) unwrap(element);
  for (const { text, format } of texts) wrap(text, format);
}

function collect(parent: Element, format: Format, rules: ClassRules, texts: { text: Text; format: Format }[]): void {
  for (const child of [...parent.childNodes]) {
    if (child.nodeType === Node.TEXT_NODE) texts.push({ text: child as Text, format });
    // Code blocks have no marks.
    else if (child instanceof Element && child.tagName !== 'PRE')
      collect(child, formatIn(child, format, rules), rules, texts);
  }
}

function formatIn(element: Element, inherited: Format, rules: ClassRules): Format {
  const name = element.tagName;
  const style = styleOf(element, rules);
  const weight = style.get('font-weight') ?? '';
  const slant = style.get('font-style') ?? '';
  const decoration = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`;
  const isHeading = HEADING.test(name);
  const isBold = weight === '' || weight === 'inherit' ? BOLD.test(name) || inherited.isBold : isBoldWeight(weight);
  const isItalic =
    slant === '' || slant === 'inherit' ? ITALIC.test(name) || inherited.isItalic : /italic|oblique/.test(slant);
  return {
    isBold: isBold && !isHeading && !isInHeading(element),
    isItalic,
    strikeTag: strikeTagOf(name, decoration) ?? inherited.strikeTag,
    script: scriptOf(name, style.get('vertical-align') ?? '', isBlock(name)) ?? inherited.script,
    isCode: CODE.test(name) || inherited.isCode,
  };
}

const isBoldWeight = (weight: string): boolean => /^bold/.test(weight) || Number(weight) >= 600;
const isInHeading = (element: Element): boolean => element.closest('h1, h2, h3, h4, h5, h6, th') !== null;
const isBlock = (name: string): boolean => /^(?:TD|TH|TR|TABLE|P|DIV|LI|UL|OL|IMG)$/.test(name);

function strikeTagOf(name: string, decoration: string): Format['strikeTag'] {
  if (name === 'S' || name === 'STRIKE') return 's';
  return name === 'DEL' || decoration.includes('line-through') ? 'del' : null;
}

/** In blocks, vertical-align aligns the content, so it makes no text superscript or subscript. */
function scriptOf(name: string, align: string, isBlock: boolean): Format['script'] {
  if (name === 'SUP' || (align === 'super' && !isBlock)) return 'sup';
  return name === 'SUB' || (align === 'sub' && !isBlock) ? 'sub' : null;
}

function wrap(text: Text, { isBold, isItalic, strikeTag, script, isCode }: Format): void {
  if ((text.nodeValue ?? '').trim() === '') return;
  const names = [isBold && 'strong', isItalic && 'em', strikeTag, script, isCode && 'code'];
  for (const name of names) {
    if (!name) continue;
    const mark = text.ownerDocument.createElement(name);
    insertBefore(text, mark);
    mark.appendChild(text);
    text = mark as unknown as Text;
  }
}
