import type { MediaItem } from '#shared/contracts/content/content';
import { type ClientError, failed, SIGNED_OUT, UNREACHABLE, UNREADABLE } from '#site/islands/ui/api/parse-response.ts';
import { freshToken } from '../api.ts';
import { readErrorOrConflict } from '../parse-response.ts';
import { makeVariants } from './make-variants.ts';
import { readMedia, readSame } from './parse-response.ts';

/** `same`: the file of the library that has the same bytes; nothing was stored. */
export type Uploaded = { ok: true; value: MediaItem } | { ok: false; error: ClientError; same?: MediaItem };

type Progress = { onProgress(share: number): void; signal: AbortSignal };

/** XMLHttpRequest, since fetch() reports no upload progress. */
export async function uploadFile(file: File, alt: string, { onProgress, signal }: Progress): Promise<Uploaded> {
  const form = new FormData();
  form.set('file', file);
  form.set('isPublic', 'true');
  form.set('alt', alt);
  for (const [index, blob] of (await makeVariants(file)).entries()) form.append('variants', blob, `${index}.webp`);
  const token = await freshToken();
  if (!token) return failed(SIGNED_OUT);
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/cms/media/upload');
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.setRequestHeader('accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('load', () => {
      const body = parsed(request.responseText);
      if (request.status !== 201) {
        const error = readErrorOrConflict(body, request.status);
        const same = request.status === 409 ? readSame(body)?.same : undefined;
        return resolve(same ? { ok: false, error, same } : failed(error));
      }
      const media = readMedia(body);
      resolve(media ? { ok: true, value: media } : failed(UNREADABLE));
    });
    request.addEventListener('error', () => resolve(failed(UNREACHABLE)));
    request.addEventListener('abort', () => resolve(failed(CANCELLED)));
    if (signal.aborted) return resolve(failed(CANCELLED));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

export const CANCELLED = { code: 'cancelled', message: 'Cancelled.', fields: [], status: 0 };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
