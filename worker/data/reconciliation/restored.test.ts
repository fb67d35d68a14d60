import { expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, db } from '#tests/support/unit/rows';
import { findNewestRestore, findRestoredAt, isCopying } from './cursors.ts';

it('finds the newest restore and the restore of each account, or null', async () => {
  expect(await findNewestRestore(db)).toBeNull();
  await addClinic({ restored_at: 5 });
  await add('accounts', { account_id: ACCOUNT + 1, restored_at: 9 }, { account_id: ACCOUNT + 2 });
  expect(await findNewestRestore(db)).toBe(9);
  const restoreTimes = [ACCOUNT, ACCOUNT + 1, ACCOUNT + 2].map((id) => findRestoredAt(db, id));
  expect(await Promise.all(restoreTimes)).toEqual([5, 9, null]);
});

it('detects whether the CRM’s records are still being copied', async () => {
  await addClinic();
  expect(await isCopying(db)).toBe(false);
  await add('crm_sync_states', { complete_at: 1 });
  expect(await isCopying(db)).toBe(false);
  await add('accounts', { account_id: ACCOUNT + 1 });
  await add('crm_sync_states', { account_id: ACCOUNT + 1, complete_at: null });
  expect(await isCopying(db)).toBe(true);
});
