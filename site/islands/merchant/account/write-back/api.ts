import { WriteBack } from '#shared/contracts/write-back';
import type { ByHandBody, WriteBackBody } from '#shared/contracts/write-back-request';
import { api, sendJson } from '#site/islands/merchant/api/api.ts';
import { readWith } from '#site/islands/ui/api/read-with.ts';

const PATH = '/api/write-back';
const read = readWith(WriteBack);

/** `before`: where the page before ended. */
export const fetchWriteBack = (before?: string) => api.call(before ? `${PATH}?before=${before}` : PATH, read);
export const saveWriteBack = (is_on: boolean) => api.call(PATH, read, sendJson<WriteBackBody>('PUT', { is_on }));
export const noteByHand = (id: string, note: string) =>
  api.call(`${PATH}/payments/${encodeURIComponent(id)}`, read, sendJson<ByHandBody>('PUT', { note }));
export const fetchFile = () =>
  api.call(`${PATH}?format=csv`, (body) => (body instanceof Blob ? body : null), { headers: { accept: 'text/csv' } });
