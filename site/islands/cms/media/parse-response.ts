import * as z from 'zod/mini';
import { MediaItem } from '#shared/contracts/content/content';
import { readWith } from '#site/islands/ui/api/read-with.ts';

export const readMedia = readWith(MediaItem);
export const readMediaList = readWith(z.array(MediaItem));
/** What the answer to an upload of a file that is there already has beside its message. */
export const readSame = readWith(z.object({ same: MediaItem }));
