import { uploadTypes } from '#shared/contracts/content/content-values';
import { contentLimits } from '#shared/limits';
import { formatBytes } from '#shared/text/format-bytes';
import { mediaTexts } from '../texts.ts';

/** The files that an upload accepts: all types of the library, or only pictures. */
export type AcceptedFiles = 'files' | 'pictures';

const TYPES: Record<AcceptedFiles, { types: readonly string[]; description: string }> = {
  files: { types: uploadTypes, description: 'a PNG, JPEG, WebP or GIF image or a PDF' },
  pictures: {
    types: uploadTypes.filter((type) => type.startsWith('image/')),
    description: 'a PNG, JPEG, WebP or GIF image',
  },
};

/** For the browser's own file dialog. */
export const acceptAttributeOf = (accepted: AcceptedFiles): string => TYPES[accepted].types.join(',');

/** For systems that do not tell the browser a file's type. */
const EXTENSIONS: Record<string, string> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp', gif: 'gif' };
function typeByName(name: string): string {
  const extension = name.split('.').at(-1)?.toLowerCase() ?? '';
  return extension === 'pdf' ? 'application/pdf' : `image/${EXTENSIONS[extension] ?? ''}`;
}

const ROUNDING_BYTES = 100_000;

/**
 * The reason why a chosen file cannot be uploaded; null if it can. The server checks the bytes as well. The size is
 * rounded up, so that a file over the limit never shows the limit itself.
 */
export function refusalOf(
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  accepted: AcceptedFiles,
): string | null {
  const { types, description } = TYPES[accepted];
  if (!types.includes(type || typeByName(name))) return `${name} is not ${description}.`;
  if (size <= contentLimits.upload) return null;
  return `${name} is ${formatBytes(Math.ceil(size / ROUNDING_BYTES) * ROUNDING_BYTES)}. Files can be ${mediaTexts.sizeLimit}.`;
}

/** The files that can be uploaded, and the reasons why others cannot. */
export function sortFiles(files: Iterable<File>, accepted: AcceptedFiles): { good: File[]; refused: string[] } {
  const good: File[] = [];
  const refused: string[] = [];
  for (const file of files) {
    const refusal = refusalOf(file, accepted);
    if (refusal === null) good.push(file);
    else refused.push(refusal);
  }
  return { good, refused };
}
