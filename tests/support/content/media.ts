import type { MediaItem } from '#shared/contracts/content/content';
import type { ContentApp } from './content.ts';

export type Bytes = Uint8Array<ArrayBuffer>;
export const fileOf = (bytes: Bytes, name = 'desk.png', type = 'image/png') => new File([bytes], name, { type });

export function mediaForm(file: File | null, fields: Record<string, string | File[]> = {}): FormData {
  const data = new FormData();
  if (file) data.set('file', file);
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') data.set(name, value);
    else for (const part of value) data.append(name, part);
  }
  return data;
}

/** Uploads a file to the library. */
export const uploadTo = (
  app: ContentApp,
  token: string,
  bytes: Bytes,
  name?: string,
  fields: Record<string, string | File[]> = {},
) => app.get<MediaItem>(201, 'POST', '/api/cms/media/upload', { token, body: mediaForm(fileOf(bytes, name), fields) });
