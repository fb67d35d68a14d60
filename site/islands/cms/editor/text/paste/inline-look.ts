import { putBefore, unwrap } from '../dom.ts';
import { type ClassRules, lookOf } from './declarations.ts';

type Look = {
  isBold: boolean;
  isItalic: boolean;
  struckBy: 'del' | 's' | null;
  raised: 'sub' | 'sup' | null;
  isCode: boolean;
};

const PLAIN: Look = { isBold: false, isItalic: false, struckBy: null, raised: null, isCode: false };
const BOLD = /^(?:B|STRONG)$/;
const ITALIC = /^(?:I|EM|CITE|DFN|VAR)$/;
const CODE = /^(?:CODE|KBD|SAMP|TT)$/;
/** Only say how text looks; their text is wrapped anew. */
const LOOKS =
  'b, strong, i, em, cite, dfn, var, s, strike, del, ins, u, sub, sup, code, kbd, samp, tt, font, span, big, small, mark, abbr, acronym, bdo, bdi, label, time, q';
/** A heading is bold by itself. */
const HEADING = /^(?:H[1-6]|TH)$/;

/** Says by elements how each text looks. For bold and italic the nearest element that speaks of it decides. */
export function sayLookByElements(body: Element, rules: ClassRules): void {
  const looks: { text: Text; look: Look }[] = [];
  collect(body, PLAIN, rules, looks);
  for (const element of [...body.querySelectorAll(LOOKS)]) if (!element.closest('pre')) unwrap(element);
  for (const { text, look } of looks) wrap(text, look);
}

function collect(parent: Element, look: Look, rules: ClassRules, found: { text: Text; look: Look }[]): void {
  for (const child of [...parent.childNodes]) {
    if (child.nodeType === Node.TEXT_NODE) found.push({ text: child as Text, look });
    // Code blocks have no marks.
    else if (child instanceof Element && child.tagName !== 'PRE')
      collect(child, lookIn(child, look, rules), rules, found);
  }
}

function lookIn(element: Element, around: Look, rules: ClassRules): Look {
  const name = element.tagName;
  const said = lookOf(element, rules);
  const weight = said.get('font-weight') ?? '';
  const slant = said.get('font-style') ?? '';
  const lines = `${said.get('text-decoration') ?? ''} ${said.get('text-decoration-line') ?? ''}`;
  const isHeading = HEADING.test(name);
  const isBold = weight === '' || weight === 'inherit' ? BOLD.test(name) || around.isBold : isHeavy(weight);
  const isItalic =
    slant === '' || slant === 'inherit' ? ITALIC.test(name) || around.isItalic : /italic|oblique/.test(slant);
  return {
    isBold: isBold && !isHeading && !isInHeading(element),
    isItalic,
    struckBy: struckBy(name, lines) ?? around.struckBy,
    raised: raisedBy(name, said.get('vertical-align') ?? '', isBlock(name)) ?? around.raised,
    isCode: CODE.test(name) || around.isCode,
  };
}

const isHeavy = (weight: string): boolean => /^bold/.test(weight) || Number(weight) >= 600;
const isInHeading = (element: Element): boolean => element.closest('h1, h2, h3, h4, h5, h6, th') !== null;
const isBlock = (name: string): boolean => /^(?:TD|TH|TR|TABLE|P|DIV|LI|UL|OL|IMG)$/.test(name);

function struckBy(name: string, lines: string): Look['struckBy'] {
  if (name === 'S' || name === 'STRIKE') return 's';
  return name === 'DEL' || lines.includes('line-through') ? 'del' : null;
}

/** Cells are aligned by the same property, which then says nothing of their text. */
function raisedBy(name: string, align: string, isBlock: boolean): Look['raised'] {
  if (name === 'SUP' || (align === 'super' && !isBlock)) return 'sup';
  return name === 'SUB' || (align === 'sub' && !isBlock) ? 'sub' : null;
}

function wrap(text: Text, { isBold, isItalic, struckBy, raised, isCode }: Look): void {
  if ((text.nodeValue ?? '').trim() === '') return;
  const names = [isBold && 'strong', isItalic && 'em', struckBy, raised, isCode && 'code'];
  for (const name of names) {
    if (!name) continue;
    const mark = text.ownerDocument.createElement(name);
    putBefore(text, mark);
    mark.appendChild(text);
    text = mark as unknown as Text;
  }
}
