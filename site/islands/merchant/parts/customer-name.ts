import type { CustomerItem } from '#shared/contracts/lists';

export const customerName = ({ id, properties: { firstname, lastname, email, company } }: CustomerItem): string =>
  `${firstname} ${lastname}`.trim() || company || email || `Customer ${id}`;

export const customerPath = (id: string): string => `/customers/${encodeURIComponent(id)}`;

/** Take Payment with these chosen. */
export const takePath = (customerId: string, invoiceId?: string): string =>
  `/payments?${new URLSearchParams({ customer: customerId, ...(invoiceId ? { invoice: invoiceId } : {}) })}`;
