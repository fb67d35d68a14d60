/** Addresses that both the site and the Worker build. */
export const payPath = (payId: string) => `/make/payment/${payId}`;
export const receiptPath = (receiptId: string) => `/receipt/${receiptId}`;
export const invoiceApi = (payId: string) => `/api/invoices/${payId}`;
/** `attemptKey`: of the page's own press; in parts, an earlier payment does not answer for it. */
export const paymentStatusApi = (payId: string, attemptKey?: string | null) =>
  `/api/invoices/${payId}/payment${attemptKey ? `?attempt=${attemptKey}` : ''}`;
/** Where a payer stops the reminders of a business. */
export const stopPath = (token: string) => `/mail/stop/${token}`;
export const openedApi = (payId: string) => `/api/invoices/${payId}/opened`;
/** Where an invitation of staff leads. */
export const joinPath = (secret: string) => `/join/${secret}`;
/** An article's address on the public site, and the file that names the live revision. */
export const articlePath = (kind: 'post' | 'page', slug: string) => `/${kind === 'post' ? 'blog' : 'pages'}/${slug}`;
export const previewPath = (token: string) => `/preview/${token}`;
export const mediaPath = (key: string) => `/media/${key}`;
export const builtPath = '/built.json';
export const takePaymentApi = (payId: string) => `/api/invoices/takePaymentSDK/${payId}`;
