import { replaceWithNodes } from '../dom.ts';

/**
 * The pictures removed from a pasted text; those of our own library stay in it. `embedded`: came with the text and can
 * be uploaded; `local`: on the writer's disk, which a page cannot read; `foreign`: on other sites.
 */
export type PastedPictures = { embedded: File[]; local: number; foreign: number };

export function takePictures(body: Element, origin: string): PastedPictures {
  const pictures: PastedPictures = { embedded: [], local: 0, foreign: 0 };
  for (const image of [...body.querySelectorAll('img')]) {
    const source = image.getAttribute('src') ?? '';
    const url = URL.canParse(source, origin) ? new URL(source, origin) : null;
    if (url?.origin === origin && url.pathname.startsWith('/media/')) {
      image.setAttribute('src', url.pathname);
      continue;
    }
    replaceWithNodes(
      image,
      emojiOf(image).map((emoji) => body.ownerDocument.createTextNode(emoji)),
    );
    if (isDecoration(image)) continue;
    const file = fileOf(source, pictures.embedded.length + 1);
    if (file) pictures.embedded.push(file);
    // Programs refer to their own temporary files.
    else if (url === null || !/^https?:$/.test(url.protocol)) pictures.local += 1;
    else pictures.foreign += 1;
  }
  return pictures;
}

/** Some sites show emoji as pictures; the description is the character. */
const emojiOf = (image: Element): string[] => {
  const alt = image.getAttribute('alt') ?? '';
  return /^\p{Extended_Pictographic}/u.test(alt) && alt.length < 12 ? [alt] : [];
};

/** True for emoji, tracking pixels in emails, and marks drawn beside text. */
const isDecoration = (image: Element): boolean =>
  emojiOf(image).length > 0 ||
  image.getAttribute('role') === 'presentation' ||
  ['width', 'height'].some((name) => /^[01](?:px)?$/.test(image.getAttribute(name) ?? ''));

function fileOf(source: string, number: number): File | null {
  const [, type = '', text = ''] = /^data:(image\/(?:png|jpeg|gif|webp));base64,([\w+/=\s]+)$/i.exec(source) ?? [];
  if (text === '') return null;
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return makeFile(bytes, type.toLowerCase(), number);
  } catch {
    return null;
  }
}

const makeFile = (bytes: Uint8Array<ArrayBuffer>, type: string, number: number): File =>
  new File([bytes], `picture-${number}.${type === 'image/jpeg' ? 'jpg' : type.slice('image/'.length)}`, { type });

/**
 * The pictures in the RTF form of a text. Word's HTML refers to files on the disk; the RTF contains their bytes. Leaves
 * out drawings in formats that no browser shows.
 */
export function picturesOfRtf(rtf: string): File[] {
  const files: File[] = [];
  for (let start = rtf.indexOf(PICTURE); start >= 0; start = rtf.indexOf(PICTURE, start + 1)) {
    const text = groupText(rtf, start);
    const type = text.includes('\\pngblip') ? 'image/png' : text.includes('\\jpegblip') ? 'image/jpeg' : null;
    // The bytes follow the last control word.
    const hex = text.replaceAll(/\\[a-z]+-?\d* ?/gi, '').replaceAll(/[^\da-f]/gi, '');
    const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    if (type && bytes.length > 0) files.push(makeFile(bytes, type, files.length + 1));
  }
  return files;
}

const PICTURE = '{\\pict';

/** The text of the group that begins at `start`, without nested groups. */
function groupText(rtf: string, start: number): string {
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
