import { CustomerReply } from '#shared/contracts/lists/customers';
import { PersonErased, PersonShown } from '#shared/contracts/operators/operate';
import { CustomerData, type EraseCustomerBody } from '#shared/contracts/staff/customer-data';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { type Answer, api, sendJson } from '../api/api.ts';

const readCustomer = readWith(CustomerReply);
const readData = readWith(CustomerData);
const readExport = readWith(PersonShown);
const readErasure = readWith(PersonErased);

const pathOf = (id: string): string => `/api/customers/${encodeURIComponent(id)}`;

export const fetchCustomer = (id: string): Promise<Answer<CustomerReply>> => api.call(pathOf(id), readCustomer);

export const fetchCustomerData = (id: string) => api.call(`${pathOf(id)}/data`, readData);
export const exportCustomerData = (id: string) => api.call(`${pathOf(id)}/data/export`, readExport, { method: 'POST' });
export const eraseCustomerData = (id: string, body: EraseCustomerBody) =>
  api.call(`${pathOf(id)}/data/erasure`, readErasure, sendJson('POST', body));
