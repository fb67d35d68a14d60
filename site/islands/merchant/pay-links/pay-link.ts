import { PayLinkReply } from '#shared/contracts/pay-link';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { type Answer, api } from '../api/api.ts';

const readLink = readWith(PayLinkReply);

const address = (invoiceId: string) => `/api/invoices/${encodeURIComponent(invoiceId)}/link`;

/** The live link; makes one if there is none. */
export const makeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(address(invoiceId), readLink, { method: 'POST' });

/** Asks for the link to be revoked and replaced, UNDO_MS later. */
export const revokeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(address(invoiceId), readLink, { method: 'DELETE' });

/** Takes that back. */
export const keepLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(`${address(invoiceId)}/revocation`, readLink, { method: 'DELETE' });
