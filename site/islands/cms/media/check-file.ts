import { uploadTypes } from '#shared/contracts/content/content-values';
import { contentLimits } from '#shared/limits';

/** The files that a place takes: those of the library, or only pictures. */
export type Taken = 'files' | 'pictures';

const TYPES: Record<Taken, { types: readonly string[]; words: string }> = {
  files: { types: uploadTypes, words: 'a PNG, JPEG, WebP or GIF image or a PDF' },
  pictures: {
    types: uploadTypes.filter((type) => type.startsWith('image/')),
    words: 'a PNG, JPEG, WebP or GIF image',
  },
};

/** For the browser's own file dialog. */
export const acceptOf = (taken: Taken): string => TYPES[taken].types.join(',');

/** Some systems tell a browser no type. */
const ENDINGS: Record<string, string> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp', gif: 'gif' };
function typeByName(name: string): string {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  return ending === 'pdf' ? 'application/pdf' : `image/${ENDINGS[ending] ?? ''}`;
}

const MEGABYTE = 1_000_000;
const TENTH = MEGABYTE / 10;

/**
 * Why a file cannot be uploaded, as soon as it is chosen; null if it can. The server checks the bytes as well.
 * Rounded up, so that a file over the limit never shows the limit itself.
 */
export function refusalOf({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>, taken: Taken): string | null {
  const { types, words } = TYPES[taken];
  if (!types.includes(type || typeByName(name))) return `${name} is not ${words}.`;
  if (size <= contentLimits.upload) return null;
  return `${name} has ${(Math.ceil(size / TENTH) / 10).toFixed(1)} MB; at most ${contentLimits.upload / MEGABYTE} MB.`;
}

/** The files that can be uploaded, and why the others cannot. */
export function sortFiles(files: Iterable<File>, taken: Taken): { good: File[]; refused: string[] } {
  const good: File[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const why = refusalOf(file, taken);
    if (why === null) good.push(file);
    else refused.push(why);
  }
  return { good, refused };
}

/** A file's size: kilobytes (10^3) with one decimal below a megabyte (10^6), then megabytes with two. */
export const formatSize = (bytes: number): string =>
  bytes < MEGABYTE - 50 ? `${(Math.ceil(bytes / 100) / 10).toFixed(1)} kB` : `${(bytes / MEGABYTE).toFixed(2)} MB`;
