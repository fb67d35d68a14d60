import { CustomerReply } from '#shared/contracts/lists/customers';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { type Answer, api } from '../api/api.ts';

const readCustomer = readWith(CustomerReply);

export const fetchCustomer = (id: string): Promise<Answer<CustomerReply>> =>
  api.call(`/api/customers/${encodeURIComponent(id)}`, readCustomer);
