import { InvoiceParts, PartsSetting, type PartVerdict } from '#shared/contracts/parts';
import type { DecidePartsBody, OpenPartsBody, PartsSettingBody } from '#shared/contracts/parts-request';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { api, sendJson } from '../api/api.ts';

const readSetting = readWith(PartsSetting);
const read = readWith(InvoiceParts);
const SETTING = '/api/parts';
const address = (id: string) => `/api/invoices/${encodeURIComponent(id)}/parts`;

export const fetchSetting = () => api.call(SETTING, readSetting);
export const saveSetting = (is_on: boolean) =>
  api.call(SETTING, readSetting, sendJson<PartsSettingBody>('PUT', { is_on }));

export const fetchParts = (id: string) => api.call(address(id), read);
export const openParts = (id: string, terms: OpenPartsBody) =>
  api.call(address(id), read, sendJson<OpenPartsBody>('PUT', terms));
export const closeParts = (id: string) => api.call(address(id), read, { method: 'DELETE' });
export const decideParts = (id: string, verdict: PartVerdict, owed: string) =>
  api.call(`${address(id)}/decision`, read, sendJson<DecidePartsBody>('POST', { verdict, owed }));
