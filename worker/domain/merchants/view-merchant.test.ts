import { beforeEach, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, db } from '#tests/support/unit/rows';
import type { Deps } from '#worker/deps';
import { describeOwnLimit, viewAccount } from './view-merchant.ts';

beforeEach(() => addClinic());

it('returns the clinic’s time zone, the user and the colleagues to ask before the clinic has signed up', async () => {
  const addUser = (user_id: number, name: string) =>
    add('users', { user_id, role: 'admin', last_login_at: user_id, name, email: `${name}@maple.example` });
  await addUser(11, 'Grace');
  await addUser(12, 'Tom');
  await db.run(`UPDATE accounts SET time_zone = 'America/Los_Angeles' WHERE account_id = ${ACCOUNT}`);
  expect(await viewAccount({ db } as Deps, ACCOUNT, 11)).toMatchObject({
    data: { merchant: null },
    timeZone: 'America/Los_Angeles',
    person: { name: 'Grace', email: 'Grace@maple.example' },
    colleagues: [{ role: 'admin', name: 'Tom' }],
    isNew: true,
  });
});

it('states a user’s refund limit and whom to ask for a larger refund', async () => {
  await add('users', { user_id: 11, role: 'admin', last_login_at: 1, name: 'Grace', email: 'grace@maple.example' });
  const manager = { accountId: ACCOUNT, userId: 12 };
  expect(await describeOwnLimit({ db } as Deps, manager, 123_400)).toBe(
    'You can refund up to $1,234.00 now. For a larger refund, ask Grace (administrator).',
  );
});
