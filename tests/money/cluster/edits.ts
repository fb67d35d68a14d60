import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A change to the product's source that removes one of its guards. */
export type Edit = { file: string; from: string; to: string };

export class EditError extends Error {}

export function replaceOnce(text: string, { from, to, file }: Edit): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new EditError(`"${from}" stands ${parts.length - 1} times in ${file}, not once`);
  return parts.join(to);
}
