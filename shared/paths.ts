/** URLs that both the site and the Worker build. */
export const payPath = (payId: string) => `/make/payment/${payId}`;
export const receiptPath = (receiptId: string) => `/receipt/${receiptId}`;
export const invoiceApi = (payId: string) => `/api/invoices/${payId}`;
/** `attemptKey`: the page's own attempt. Without it, the result of an earlier part payment could be returned. */
export const paymentStatusApi = (payId: string, attemptKey?: string | null) =>
  `/api/invoices/${payId}/payment${attemptKey ? `?attempt=${attemptKey}` : ''}`;
/** Page on which a payer unsubscribes from the reminders of a business. */
export const stopPath = (token: string) => `/mail/stop/${token}`;
export const openedApi = (payId: string) => `/api/invoices/${payId}/opened`;
/** Page of a staff invitation. */
export const joinPath = (secret: string) => `/join/${secret}`;
/** An article's path on the public site; `builtPath` below is the file with the live revision. */
export const articlePath = (kind: 'post' | 'page', slug: string) => `/${kind === 'post' ? 'blog' : 'pages'}/${slug}`;
export const previewPath = (token: string) => `/preview/${token}`;
export const mediaPath = (key: string) => `/media/${key}`;
export const builtPath = '/built.json';

/** The file by which Apple recognizes the host of the pay pages; Apple determines the path. */
export const domainAssociationPath = '/.well-known/apple-developer-merchantid-domain-association';
export const takePaymentApi = (payId: string) => `/api/invoices/takePaymentSDK/${payId}`;
