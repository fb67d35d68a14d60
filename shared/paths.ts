/** Addresses that more than one side builds. */
export const payPath = (payId: string) => `/make/payment/${payId}`;
export const receiptPath = (receiptId: string) => `/receipt/${receiptId}`;
export const invoiceApi = (payId: string) => `/api/invoices/${payId}`;
export const paymentStatusApi = (payId: string) => `/api/invoices/${payId}/payment`;
export const takePaymentApi = (payId: string) => `/api/invoices/takePaymentSDK/${payId}`;
