import { replaceBy } from '../dom.ts';

/**
 * The pictures of a pasted text. None stays in it but our own library's: `embedded` came with the text and can be
 * uploaded, `local` are on the writer's disk, where a page may not read, `foreign` are on other sites.
 */
export type PastedPictures = { embedded: File[]; local: number; foreign: number };

export function takePictures(body: Element, origin: string): PastedPictures {
  const found: PastedPictures = { embedded: [], local: 0, foreign: 0 };
  for (const image of [...body.querySelectorAll('img')]) {
    const source = image.getAttribute('src') ?? '';
    const url = URL.canParse(source, origin) ? new URL(source, origin) : null;
    if (url?.origin === origin && url.pathname.startsWith('/media/')) {
      image.setAttribute('src', url.pathname);
      continue;
    }
    replaceBy(
      image,
      wordsOf(image).map((words) => body.ownerDocument.createTextNode(words)),
    );
    if (isDecoration(image)) continue;
    const file = fileOf(source, found.embedded.length + 1);
    if (file) found.embedded.push(file);
    // Programs name their own temporary files.
    else if (url === null || !/^https?:$/.test(url.protocol)) found.local += 1;
    else found.foreign += 1;
  }
  return found;
}

/** Sites show smileys as pictures; their description is the character. */
const wordsOf = (image: Element): string[] => {
  const alt = image.getAttribute('alt') ?? '';
  return /^\p{Extended_Pictographic}/u.test(alt) && alt.length < 12 ? [alt] : [];
};

/** Counting pixels of mails, and marks that are drawn beside text. */
const isDecoration = (image: Element): boolean =>
  wordsOf(image).length > 0 ||
  image.getAttribute('role') === 'presentation' ||
  ['width', 'height'].some((name) => /^[01](?:px)?$/.test(image.getAttribute(name) ?? ''));

function fileOf(source: string, number: number): File | null {
  const [, type = '', text = ''] = /^data:(image\/(?:png|jpeg|gif|webp));base64,([\w+/=\s]+)$/i.exec(source) ?? [];
  if (text === '') return null;
  try {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    return makeFile(bytes, type.toLowerCase(), number);
  } catch {
    return null;
  }
}

const makeFile = (bytes: Uint8Array<ArrayBuffer>, type: string, number: number): File =>
  new File([bytes], `picture-${number}.${type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length)}`, { type });

/**
 * The pictures in a text's RTF form. Word names files on the disk in its HTML, but copies their bytes as RTF. Drawings
 * in formats that no browser shows are left out.
 */
export function picturesOfRtf(rtf: string): File[] {
  const found: File[] = [];
  for (let at = rtf.indexOf(PICTURE); at >= 0; at = rtf.indexOf(PICTURE, at + 1)) {
    const text = ownText(rtf, at);
    const type = text.includes('\\pngblip') ? 'image/png' : text.includes('\\jpegblip') ? 'image/jpeg' : null;
    // The bytes follow the last control word.
    const hex = text.replaceAll(/\\[a-z]+-?\d* ?/gi, '').replaceAll(/[^\da-f]/gi, '');
    const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    if (type && bytes.length > 0) found.push(makeFile(bytes, type, found.length + 1));
  }
  return found;
}

const PICTURE = '{\\pict';

/** The text of the group that begins there, without the groups within it. */
function ownText(rtf: string, start: number): string {
  const parts: string[] = [];
  let depth = 0;
  const braces = /[{}]/g;
  braces.lastIndex = start;
  for (let brace = braces.exec(rtf), from = start; brace; from = braces.lastIndex, brace = braces.exec(rtf)) {
    if (depth === 1) parts.push(rtf.slice(from, brace.index));
    depth += brace[0] === '{' ? 1 : -1;
    if (depth === 0) break;
  }
  return parts.join('');
}
