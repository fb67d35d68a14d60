/**
 * A look at HTML before it is parsed, in one pass: how deeply it nests, and tags without their flood of attributes. It only
 * has to keep the parser from harm; what may stay is decided afterwards.
 */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** More than this no tag of ours has; a parser compares each attribute of a tag with all before it. */
const MAX_ATTRIBUTES = 60;

export type Scan = { html: string; depth: number };

export function scanHtml(html: string): Scan {
  const parts: string[] = [];
  let kept = 0;
  let open = 0;
  let depth = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const isEnd = html[at + 1] === '/';
    const name = nameAt(html, at + (isEnd ? 2 : 1));
    if (!name) continue;
    if (isEnd) {
      open = Math.max(0, open - 1);
      continue;
    }
    const tag = tagFrom(html, at + 1 + name.length);
    if (tag.attributes > MAX_ATTRIBUTES) {
      parts.push(html.slice(kept, at), `<${name}>`);
      kept = tag.end;
    }
    if (!VOID.has(name.toLowerCase())) depth = Math.max(depth, ++open);
    at = tag.end - 1;
  }
  return { html: kept === 0 ? html : parts.join('') + html.slice(kept), depth };
}

const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122;
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 47;

function nameAt(html: string, from: number): string {
  if (!isLetter(html.charCodeAt(from))) return '';
  let to = from;
  while (to < html.length && !isSpace(html.charCodeAt(to)) && html[to] !== '>' && to - from < 100) to++;
  return html.slice(from, to);
}

/** From behind a tag's name to behind its `>`: how many words stand there, outside of quoted values. */
function tagFrom(html: string, from: number): { end: number; attributes: number } {
  let attributes = 0;
  let isInWord = false;
  for (let at = from; at < html.length; at++) {
    const char = html[at];
    if (char === '>') return { end: at + 1, attributes };
    if ((char === '"' || char === "'") && html[at - 1] === '=') {
      const close = html.indexOf(char, at + 1);
      if (close < 0) return { end: html.length, attributes };
      at = close;
      isInWord = false;
    } else if (isSpace(html.charCodeAt(at))) isInWord = false;
    else if (!isInWord) {
      isInWord = true;
      attributes++;
    }
  }
  return { end: html.length, attributes };
}
