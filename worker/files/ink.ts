/** Whether a signature (PNG) shows anything. */

export type Chunk = { type: string; data: Uint8Array<ArrayBuffer>; start: number; end: number };
export type Header = { width: number; height: number; colour: number; channels: number; rowBytes: number };

/** Pixels that differ from the paper as ink does: fewer are a dot or noise, and nobody's signature. */
const LEAST_PIXELS = 20;
/** How far apart paper and ink are, of 255: a shade that no eye tells from the paper is no ink. */
const LEAST_CONTRAST = 48;

/**
 * Whether somebody drew on it: enough pixels that stand out from the paper, as they look on white. The paper is the shade
 * of most. Throws nothing; an unknown row filter is no ink.
 */
export function hasInk(raw: Uint8Array, image: Header, chunks: Chunk[]): boolean {
  const { height, rowBytes, channels } = image;
  const shadeOf = shades(image, chunks);
  const counts = new Array<number>(256).fill(0);
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1);
    const row = raw.subarray(start + 1, start + 1 + rowBytes);
    if (!unfilter(raw[start] ?? 0, row, above, channels)) return false;
    for (let x = 0; x < rowBytes; x += channels) {
      const shade = Math.round(shadeOf(row, x));
      counts[shade] = (counts[shade] ?? 0) + 1;
    }
    above = row;
  }
  const paper = counts.indexOf(Math.max(...counts));
  const ink = counts.reduce((sum, pixels, shade) => sum + (Math.abs(shade - paper) < LEAST_CONTRAST ? 0 : pixels), 0);
  return ink >= LEAST_PIXELS;
}

type ShadeOf = (row: Uint8Array, at: number) => number;

/** How bright a pixel looks on white paper, 0 to 255, for each way in which a PNG may write it. */
function shades({ colour }: Header, chunks: Chunk[]): ShadeOf {
  const dataOf = (type: string) => chunks.find((chunk) => chunk.type === type)?.data ?? new Uint8Array();
  const [palette, clear] = [dataOf('PLTE'), dataOf('tRNS')];
  const at = (bytes: Uint8Array, place: number) => bytes[place] ?? 0;
  const light = (bytes: Uint8Array, place: number) =>
    0.299 * at(bytes, place) + 0.587 * at(bytes, place + 1) + 0.114 * at(bytes, place + 2);
  const onWhite = (shade: number, alpha: number) => 255 - ((255 - shade) * alpha) / 255;
  switch (colour) {
    case 0:
      return (row, x) => (clear.length > 0 && at(row, x) === at(clear, 1) ? 255 : at(row, x));
    case 2:
      return (row, x) =>
        clear.length > 0 && [1, 3, 5].every((place, n) => at(clear, place) === at(row, x + n)) ? 255 : light(row, x);
    case 3:
      return (row, x) => onWhite(light(palette, at(row, x) * 3), clear[at(row, x)] ?? 255);
    case 4:
      return (row, x) => onWhite(at(row, x), at(row, x + 1));
    default:
      return (row, x) => onWhite(light(row, x), at(row, x + 3));
  }
}

/** PNG specification, section 9.2; undone in place. False: there is no such filter. */
function unfilter(kind: number, row: Uint8Array, above: Uint8Array, step: number): boolean {
  for (let x = 0; x < row.length; x++) {
    const left = row[x - step] ?? 0;
    const up = above[x] ?? 0;
    const corner = above[x - step] ?? 0;
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind];
    if (guess === undefined) return false;
    row[x] = ((row[x] ?? 0) + guess) & 255;
  }
  return true;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [dl, du, dc] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (dl <= du && dl <= dc) return left;
  return du <= dc ? up : corner;
}
