import { CustomerReply } from '#shared/contracts/customer';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { type Answer, api } from '../api/api.ts';

const readCustomer = readWith(CustomerReply);

export const askCustomer = (id: string): Promise<Answer<CustomerReply>> =>
  api.call(`/api/customers/${encodeURIComponent(id)}`, readCustomer);
