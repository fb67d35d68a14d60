import { nestLists } from './nested-lists.ts';

/** Elements with the same meaning. */
const SYNONYMS: Record<string, string> = { B: 'STRONG', I: 'EM' };
const CONTAINERS = /^(?:BLOCKQUOTE|UL|OL|LI|TABLE|TR|TD|TH|H[1-6])$/;
/** The attributes that carry meaning; the editor adds others. */
const MEANINGFUL_ATTRIBUTES: Record<string, string[]> = {
  OL: ['start', 'type'],
  LI: ['data-item-type', 'data-checked'],
  TD: ['align', 'colspan', 'rowspan'],
  TH: ['align', 'colspan', 'rowspan'],
  A: ['href', 'title'],
  IMG: ['src', 'alt', 'title', 'width', 'height', 'role'],
};

/**
 * True if two texts mean the same: equal blocks, words, marks, links and pictures. Ignores how blocks are wrapped (a
 * paragraph around an item's only line) and in which order marks are nested.
 */
export const isSameArticle = (a: HTMLElement, b: HTMLElement): boolean => outlineOf(a) === outlineOf(b);

function outlineOf(body: HTMLElement): string {
  const copy = body.cloneNode(true) as HTMLElement;
  nestLists(copy);
  const outline = new Outline();
  outline.read(copy, []);
  outline.endBlock();
  return outline.lines.join('\n');
}

class Outline {
  readonly lines: string[] = [];
  #runs: { marks: string; text: string }[] = [];
  /** True where white space is invisible: at the start of a block, after a line break or another space. */
  #isAfterSpace = true;

  read(parent: Node, marks: string[]): void {
    for (const child of parent.childNodes) this.#readChild(child, marks);
  }

  #readChild(child: Node, marks: string[]): void {
    if (child.nodeType === Node.TEXT_NODE) this.#add(child.nodeValue ?? '', marks);
    if (!(child instanceof Element)) return;
    const name = child.tagName;
    if (name === 'BR') this.#put('<br>', '');
    else if (name === 'IMG') {
      this.#put(describeElement(child), marksOf(marks));
      this.#isAfterSpace = false;
    } else if (name === 'PRE') this.#readCode(child, marks);
    else if (name === 'HR') this.#addLine('HR');
    else if (CONTAINERS.test(name)) this.#readBlock(child, marks);
    else if (/^(?:P|TBODY|THEAD)$/.test(name)) {
      this.endBlock();
      this.read(child, marks);
      this.endBlock();
    } else this.read(child, [...marks, describeElement(child)]);
  }

  #readBlock(block: Element, marks: string[]): void {
    const isHead = block.tagName === 'TR' && block.parentElement?.tagName === 'THEAD';
    this.#addLine(`${describeElement(block)}${isHead ? ' head' : ''} {`);
    this.read(block, marks);
    this.#addLine('}');
  }

  #readCode(block: Element, marks: string[]): void {
    const code = block.querySelector('code');
    const language = block.getAttribute('data-language') ?? /language-(\S+)/.exec(code?.className ?? '')?.[1] ?? '';
    const codeMarks = block.querySelector('*:not(code)') === null ? marksOf(marks) : 'marked';
    this.#addLine(`PRE ${language} ${codeMarks} ${JSON.stringify(block.textContent)}`);
  }

  #addLine(line: string): void {
    this.endBlock();
    this.lines.push(line);
  }

  #add(text: string, marks: string[]): void {
    const normalized = text.replaceAll(/[ \t\n\r\f]+/g, ' ');
    const visibleText = this.#isAfterSpace && normalized.startsWith(' ') ? normalized.slice(1) : normalized;
    if (visibleText === '') return;
    this.#put(visibleText, marksOf(marks));
    this.#isAfterSpace = visibleText.endsWith(' ');
  }

  #put(text: string, marks: string): void {
    const last = this.#runs.at(-1);
    if (text === '<br>' && last) last.text = last.text.replace(/ $/, '');
    if (last?.marks === marks) last.text += text;
    else this.#runs.push({ marks, text });
    this.#isAfterSpace = true;
  }

  /** Ends the current block. A block without text is dropped. */
  endBlock(): void {
    const last = this.#runs.at(-1);
    if (last) last.text = last.text.replace(/ $/, '');
    const runs = this.#runs.filter(({ text }) => text !== '');
    if (runs.length > 0) this.lines.push(JSON.stringify(runs));
    this.#runs = [];
    this.#isAfterSpace = true;
  }
}

const marksOf = (marks: string[]): string => [...new Set(marks)].sort().join(' ');

function describeElement(element: Element): string {
  const name = SYNONYMS[element.tagName] ?? element.tagName;
  const attrs = (MEANINGFUL_ATTRIBUTES[element.tagName] ?? []).flatMap((attr) => {
    const value = element.getAttribute(attr) ?? '';
    const isDefault = value === '' || (value === '1' && /^(?:start|colspan|rowspan)$/.test(attr));
    return isDefault ? [] : [`${attr}=${JSON.stringify(value)}`];
  });
  return [name, ...attrs].join(' ');
}
