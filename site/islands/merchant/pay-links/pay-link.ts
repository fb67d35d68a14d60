import { PayLinkReply } from '../../../../shared/contracts/preview.ts';
import { readWith } from '../../ui/api/read-with.ts';
import { type Answer, api } from '../api/api.ts';

const readLink = readWith(PayLinkReply);

const address = (invoiceId: string) => `/api/invoices/${encodeURIComponent(invoiceId)}/link`;

/** The live link, made where there is none. */
export const makeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(address(invoiceId), readLink, { method: 'POST' });

/** The link stops working and another takes its place. */
export const revokeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(address(invoiceId), readLink, { method: 'DELETE' });
