import { it } from 'vitest';
import * as z from 'zod/mini';
import { expectSameAnswers } from '#tests/support/bent-answers';
import { PaymentAnalytics } from '../../../../shared/contracts/analytics.ts';
import { CustomersReply, InvoiceItem, OpenInvoiceItem, SendMailReply } from '../../../../shared/contracts/lists.ts';
import { WaitingReply } from '../../../../shared/contracts/proof.ts';
import {
  GetMerchant,
  Merchant,
  MerchantData,
  RefreshedToken,
  TokenStatus,
} from '../../../../shared/contracts/session.ts';
import { readUser } from '../account/UserInfo.tsx';
import { readAnalytics } from '../analytics/api.ts';
import { readCustomers } from '../lists/customers.ts';
import { invoiceSource } from '../lists/invoices.tsx';
import { readSent } from '../mail/mail-kinds.ts';
import { readMerchant, readMerchantData, readSetUp } from '../onboarding/api.ts';
import { openInvoiceSource } from '../pay-links/open-invoices.ts';
import { readWaiting } from '../refunds/api.ts';
import { readRefreshed } from './parse-response.ts';

it.each([
  ['a merchant', GetMerchant, readMerchant],
  ['what belongs to a merchant', MerchantData, readMerchantData],
  ['a merchant that was set up', z.object({ merchant: Merchant }), readSetUp],
  ['the user', TokenStatus, readUser],
  ['a new token', RefreshedToken, readRefreshed],
  ['invoices', z.array(InvoiceItem), invoiceSource.readRows],
  ['customers', CustomersReply, readCustomers],
  ['open invoices', z.array(OpenInvoiceItem), openInvoiceSource.readRows],
  ['a mail that was sent', SendMailReply, readSent],
  ['a refund that waits for a second person', WaitingReply, readWaiting],
  ['analytics', PaymentAnalytics, readAnalytics],
])('takes as %s what the contract describes, and nothing else', (_name, schema, read) => {
  expectSameAnswers(schema, read);
});
