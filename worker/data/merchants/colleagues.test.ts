import { beforeEach, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, db } from '#tests/support/unit/rows';
import { listColleagues } from './merchants.ts';

beforeEach(() => addClinic());

it('lists the last other user of each role to log in, by name or else by address', async () => {
  const addPerson = (user_id: number, role: string, last_login_at: number, overrides: Record<string, unknown> = {}) =>
    add('users', {
      user_id,
      role,
      last_login_at,
      email: `p${user_id}@maple.example`,
      name: `Person ${user_id}`,
      ...overrides,
    });
  await addPerson(11, 'admin', 10);
  await addPerson(12, 'admin', 20);
  await addPerson(13, 'admin', 30, { removed_at: 40 });
  await addPerson(14, 'admin', 50, { email: '', name: '' });
  await addPerson(15, 'manager', 5, { name: '' });
  await addPerson(16, 'reader', 60);
  const colleagues = await listColleagues(db, { accountId: ACCOUNT, userId: 16 });
  expect(colleagues.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
    { role: 'manager', name: 'p15@maple.example' },
    { role: 'admin', name: 'Person 12' },
  ]);
  expect(await listColleagues(db, { accountId: ACCOUNT, userId: 12 })).toContainEqual({
    role: 'admin',
    name: 'Person 11',
  });
});
