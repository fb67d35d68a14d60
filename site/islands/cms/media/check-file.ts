import { uploadTypes } from '#shared/contracts/content/content-values';
import { contentLimits } from '#shared/limits';
import { formatBytes } from '#shared/text/format-bytes';
import { mediaTexts } from '../texts.ts';

/** The files that a place accepts: those of the library, or only pictures. */
export type Accepted = 'files' | 'pictures';

const TYPES: Record<Accepted, { types: readonly string[]; words: string }> = {
  files: { types: uploadTypes, words: 'a PNG, JPEG, WebP or GIF image or a PDF' },
  pictures: {
    types: uploadTypes.filter((type) => type.startsWith('image/')),
    words: 'a PNG, JPEG, WebP or GIF image',
  },
};

/** For the browser's own file dialog. */
export const acceptOf = (accepted: Accepted): string => TYPES[accepted].types.join(',');

/** Some systems tell a browser no type. */
const ENDINGS: Record<string, string> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp', gif: 'gif' };
function typeByName(name: string): string {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  return ending === 'pdf' ? 'application/pdf' : `image/${ENDINGS[ending] ?? ''}`;
}

const STEP = 100_000;

/**
 * Why a file cannot be uploaded, as soon as it is chosen; null if it can. The server checks the bytes as well.
 * Rounded up, so that a file over the limit never shows the limit itself.
 */
export function refusalOf(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  accepted: Accepted,
): string | null {
  const { types, words } = TYPES[accepted];
  if (!types.includes(type || typeByName(name))) return `${name} is not ${words}.`;
  if (size <= contentLimits.upload) return null;
  return `${name} is ${formatBytes(Math.ceil(size / STEP) * STEP)}. Files can be ${mediaTexts.upTo}.`;
}

/** The files that can be uploaded, and why the others cannot. */
export function sortFiles(files: Iterable<File>, accepted: Accepted): { good: File[]; refused: string[] } {
  const good: File[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const why = refusalOf(file, accepted);
    if (why === null) good.push(file);
    else refused.push(why);
  }
  return { good, refused };
}
