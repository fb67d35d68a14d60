import type { TestApp } from '#tests/support/login';
import { payerFields } from '#tests/support/pay-form';
import { makeBill, payIdOf } from '#tests/support/unit/clinic';
import { bankToken, cardToken } from '#tests/support/wire';
import type { Ask } from './asker.ts';
import { attemptOf } from './merchant-calls.ts';

/** The payer's calls from the mailed link to the receipt. Returns the paid invoice. */
export async function payerCalls(ask: Ask, { app, token }: { app: TestApp; token: string }) {
  const pay = async (paymentType: 'card' | 'ach') => {
    const { id } = await makeBill();
    const payId = await payIdOf(app, token, id);
    const jwt = paymentType === 'card' ? await cardToken() : await bankToken();
    const body = { ...payerFields(), paymentType, paymentDetails: { jwt } };
    await ask('GET /make/payment/:payId', { path: `/make/payment/${payId}` });
    await ask('POST /api/invoices/:payId/opened', {
      path: `/api/invoices/${payId}/opened`,
      body: { load: `load-of-${payId}` },
      status: 204,
    });
    await ask('GET /api/invoices/:payId', { path: `/api/invoices/${payId}` });
    const status = paymentType === 'card' ? 200 : 202;
    await ask('POST /api/invoices/takePaymentSDK/:payId', {
      path: `/api/invoices/takePaymentSDK/${payId}`,
      body,
      status,
    });
    await ask('GET /api/invoices/:payId/payment', { path: `/api/invoices/${payId}/payment` });
    await ask('GET /make/payment/:payId', { path: `/make/payment/${payId}` });
    return { id, payId };
  };
  await pay('ach');
  const paid = await pay('card');
  const receipt = `/receipt/${(await attemptOf(app, paid.id))?.receiptId}`;
  await ask('GET /receipt/:receiptId', { path: receipt });
  await ask('GET /receipt/:receiptId/signature.png', { path: `${receipt}/signature.png` });
  await ask('GET /make/payment/*', { path: '/make/payment/cut/off', status: 404 });
  const report = { 'csp-report': { 'document-uri': 'http://localhost:8787/', 'violated-directive': 'script-src' } };
  await ask('POST /api/csp-report', { body: report, status: 204 });
  return paid;
}
