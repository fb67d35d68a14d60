import * as z from 'zod/mini';
import { MediaItem } from '#shared/contracts/content/content';
import { variantWidths } from '#shared/contracts/content/content-values';
import {
  type ClientError,
  failedAnswer,
  readWith,
  SIGNED_OUT_ERROR,
  UNREACHABLE_ERROR,
  UNREADABLE_ERROR,
} from '#site/islands/ui/api/parse-response.ts';
import { freshToken, readErrorOrConflict } from '../api.ts';

const QUALITY = 0.82;
/** Types that get scaled copies. The Worker drops copies of animated pictures, because they would not move. */
const COPIED_TYPES = /^image\/(png|jpeg|webp)$/;

/**
 * Copies of the picture at the widths that pages need, none wider than the original; empty if this browser cannot
 * decode it.
 */
export async function makeVariants(file: Blob): Promise<Blob[]> {
  if (!COPIED_TYPES.test(file.type)) return [];
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file);
  } catch {
    return [];
  }
  const blobs: Blob[] = [];
  for (const width of variantWidths.filter((candidate) => candidate < picture.width)) {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = Math.max(1, Math.round((picture.height * width) / picture.width));
    const context = canvas.getContext('2d');
    if (!context) break;
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY));
    if (blob) blobs.push(blob);
  }
  picture.close();
  return blobs;
}

export const readMedia = readWith(MediaItem);
export const readMediaList = readWith(z.array(MediaItem));
/** The reply to a duplicate upload names the existing file. */
export const readDuplicate = readWith(z.object({ same: MediaItem }));

/** `duplicate`: the library's file with the same bytes; nothing was stored. */
export type UploadResult = { ok: true; value: MediaItem } | { ok: false; error: ClientError; duplicate?: MediaItem };

type Progress = { onProgress(uploadedShare: number): void; signal: AbortSignal };

/** XMLHttpRequest, since fetch() reports no upload progress. */
export async function uploadFile(file: File, alt: string, { onProgress, signal }: Progress): Promise<UploadResult> {
  const form = new FormData();
  form.set('file', file);
  form.set('isPublic', 'true');
  form.set('alt', alt);
  for (const [index, blob] of (await makeVariants(file)).entries()) form.append('variants', blob, `${index}.webp`);
  const token = await freshToken();
  if (!token) return failedAnswer(SIGNED_OUT_ERROR);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/cms/media/upload');
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => {
      const body = parseJson(request.responseText);
      if (request.status !== 201) {
        const error = readErrorOrConflict(body, request.status);
        const duplicate = request.status === 409 ? readDuplicate(body)?.same : undefined;
        return resolve(duplicate ? { ok: false, error, duplicate } : failedAnswer(error));
      }
      const media = readMedia(body);
      resolve(media ? { ok: true, value: media } : failedAnswer(UNREADABLE_ERROR));
    });
    request.addEventListener('error', () => resolve(failedAnswer(UNREACHABLE_ERROR)));
    request.addEventListener('abort', () => resolve(failedAnswer(CANCELLED)));
    if (signal.aborted) return resolve(failedAnswer(CANCELLED));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

export const CANCELLED = { code: 'cancelled', message: 'Cancelled.', fields: [], status: 0 };

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
