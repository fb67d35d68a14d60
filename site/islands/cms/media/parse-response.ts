import * as z from 'zod/mini';
import { MediaItem } from '../../../../shared/contracts/content/content.ts';
import { readWith } from '../../ui/api/read-with.ts';

export const readMedia = readWith(MediaItem);
export const readMediaList = readWith(z.array(MediaItem));
