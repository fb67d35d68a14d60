/** Addresses that more than one side builds. */
export const payPath = (payId: string) => `/make/payment/${payId}`;
export const receiptPath = (receiptId: string) => `/receipt/${receiptId}`;
export const invoiceApi = (payId: string) => `/api/invoices/${payId}`;
export const paymentStatusApi = (payId: string) => `/api/invoices/${payId}/payment`;
/** Where an article is on the public site, and the file that tells which revision of it is live. */
export const articlePath = (kind: 'post' | 'page', slug: string) => `/${kind === 'post' ? 'blog' : 'pages'}/${slug}`;
export const previewPath = (token: string) => `/preview/${token}`;
export const mediaPath = (key: string) => `/media/${key}`;
export const builtPath = '/built.json';
export const takePaymentApi = (payId: string) => `/api/invoices/takePaymentSDK/${payId}`;
