import { saveFile } from '#site/islands/ui/api/save-file.ts';
import { todayLocal } from '#site/islands/ui/format-moment.ts';
import { formatListAddress, type ListQuery } from '#site/islands/ui/table/list-view.ts';
import { api } from '../api/api.ts';

/**
 * Downloads all rows that match the search and the filters. `days` is the list's period in the file name. Returns the
 * reason for a failure, or ''.
 */
export async function exportList(path: string, noun: string, query: ListQuery, days = todayLocal()): Promise<string> {
  const params = new URLSearchParams(formatListAddress(query));
  for (const name of ['page', 'size']) params.delete(name);
  params.set('format', 'csv');
  const answer = await api.call(`${path}?${params}`, (body) => (body instanceof Blob ? body : null), {
    headers: { accept: 'text/csv' },
  });
  if (!answer.ok) return answer.error.message;
  saveFile(answer.value, `${noun.replaceAll(' ', '-')}-${days}.csv`);
  return '';
}
