import { expect, it } from 'vitest';
import { businessName } from '../merchants/view-merchant.ts';

it.each([
  ['of the CRM account without an application', null, 'Maple LLC'],
  ['of the CRM account during an application', { name: 'Maple Dental', status: 'applying' }, 'Maple LLC'],
  ['of the application once it was made', { name: 'Maple Dental', status: 'applied' }, 'Maple Dental'],
] as const)('payers see the business name %s', (_title, merchant, name) => {
  expect(businessName({ name: 'Maple LLC' }, merchant)).toBe(name);
});
