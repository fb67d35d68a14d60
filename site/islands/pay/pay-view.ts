import type { PayView } from '#shared/contracts/payment';
import { billRows, type FormattedLine, payPageFill } from '#shared/text/pay-page-fill';
import type { PayPageWords } from '#shared/words/pay-words';

export const PAY_VIEW_ID = 'pay-view';

export type PayPageFill = ReturnType<typeof payPageFill>;
export type Page = { view: PayView; texts: PayPageFill; lines: FormattedLine[] };

/** The view for the prerendered page, which contains every row. The Worker fills the page for an invoice. */
const placeholderView: PayView = {
  payId: '',
  state: 'ready',
  business: { name: 'Business', phone: '(000) 000-0000', email: 'business@example.com' },
  timeZone: 'UTC',
  invoice: { number: 'INV-0', amountDue: '0.00', currency: 'USD', dueDate: '2026-01-01' },
  parts: {
    base: '2.00',
    paid: '1.00',
    range: null,
    deposit: null,
    only: null,
    taken: [{ amount: '1.00', on: '2026-01-01' }],
  },
  cardOnly: true,
  applePay: true,
  googlePay: true,
  customer: { firstName: 'Customer', lastName: 'Name' },
  addressOnFile: 'Address',
  company: { name: 'Company' },
  lines: {
    count: 2,
    total: '0.00',
    items: [{ name: 'Item', quantity: null, total: '0.00' }],
    paidBefore: '0.00',
  },
  sdk: { provider: 'Provider', scriptUrl: '', scriptObject: '', baseUrl: '', publicKey: '', sandbox: true },
};

/** Reads the view before the first render, whose rows and texts must equal those of the filled page. */
export function readPage({ language, bill }: Pick<PayPageWords, 'language' | 'bill'>): Page {
  // `placeholderView` is only for the build. The Worker fills the page before a browser gets it.
  const view: PayView = import.meta.env.SSR
    ? placeholderView
    : JSON.parse(document.getElementById(PAY_VIEW_ID)?.textContent ?? '');
  return {
    view,
    lines: billRows(view, language, bill),
    texts: {
      ...payPageFill(view, language, bill),
      ...(import.meta.env.SSR && { confirming: '', pad: '', part: '' }),
    },
  };
}
