import type { PayLinkReply } from '../../../../shared/contracts/lists.ts';
import { type Answer, api } from '../api/api.ts';
import { isRecord, isText, type Reader } from '../api/parse-response.ts';

export const readLink: Reader<PayLinkReply> = (body) => {
  if (!isRecord(body)) return null;
  const { id, url, ends_at } = body;
  return isText(id) && isText(url) && isText(ends_at) ? { id, url, ends_at } : null;
};

const address = (invoiceId: string) => `/api/invoices/${encodeURIComponent(invoiceId)}/link`;

/** The live link, made where there is none. */
export const makeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(address(invoiceId), readLink, { method: 'POST' });

/** The link stops working and another takes its place. */
export const revokeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(address(invoiceId), readLink, { method: 'DELETE' });
