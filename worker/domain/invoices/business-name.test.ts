import { expect, it } from 'vitest';
import { businessName } from '../merchants/view-merchant.ts';

it.each([
  ['of the CRM account without an application', null, 'Maple LLC'],
  ['of the CRM account while it is applied for', { name: 'Maple Dental', status: 'applying' }, 'Maple LLC'],
  ['that it has applied under', { name: 'Maple Dental', status: 'applied' }, 'Maple Dental'],
] as const)('payers see the business name %s', (_what, merchant, name) => {
  expect(businessName({ name: 'Maple LLC' }, merchant)).toBe(name);
});
