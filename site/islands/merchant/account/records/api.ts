import { ArchiveStatus, ClosingStatus } from '#shared/contracts/leaving';
import type { ClosingBody } from '#shared/contracts/leaving-request';
import { type Answer, api, sendJson } from '#site/islands/merchant/api/api.ts';
import { readWith } from '#site/islands/ui/api/read-with.ts';

const ARCHIVE = '/api/account/archive';
const CLOSING = '/api/account/closing';
const readStatus = readWith(ArchiveStatus);
const readClosing = readWith(ClosingStatus);
const readBytes = (body: unknown) => (body instanceof Blob ? body : null);

export const archive = () => api.call(ARCHIVE, readStatus);
export const askForArchive = () => api.call(ARCHIVE, readStatus, { method: 'POST' });
export const closing = () => api.call(CLOSING, readClosing);
export const close = (body: ClosingBody) => api.call(CLOSING, readClosing, sendJson('PUT', body));
export const keepOpen = () => api.call(CLOSING, readClosing, { method: 'DELETE' });

const TRIES = 3;
const mayComeYet = (answer?: Answer<Blob>) => !answer || (!answer.ok && answer.error.status !== 403);

/**
 * Fetches the parts of a download one after the other; one that fails is asked for again, unless it is refused: whoever
 * closes the dialog for a proof is not asked three times. `told`: bytes so far.
 */
export async function fetchArchive({ id, parts }: ArchiveStatus, told: (bytes: number) => void): Promise<Answer<Blob>> {
  const fetched: Blob[] = [];
  for (let part = 0; part < parts; part++) {
    let answer: Answer<Blob> | undefined;
    for (let tries = 0; tries < TRIES && mayComeYet(answer); tries++)
      answer = await api.call(`${ARCHIVE}/${id}/parts/${part}`, readBytes, { headers: { accept: '*/*' } });
    if (!answer?.ok) return answer ?? { ok: true, value: new Blob() };
    fetched.push(answer.value);
    told(fetched.reduce((sum, { size }) => sum + size, 0));
  }
  return { ok: true, value: new Blob(fetched, { type: 'application/zip' }) };
}
