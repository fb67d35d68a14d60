import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addPayment, db, eventOf, readAuditActions, rowsOf } from '#tests/support/unit/rows';
import {
  findWriteSettings,
  listWritingAccounts,
  pauseWriteBack,
  saveObservedEffect,
  saveWriteSettings,
} from './writes.ts';

beforeEach(async () => {
  await addClinic();
  await addPayment('p1');
});

const addWrite = (id: string, overrides: Record<string, unknown> = {}) =>
  add('crm_writes', { id, attempt_id: 'p1', kind: 'payment', state: 'due', ...overrides });

describe('the accounts with CRM records to write now', () => {
  it.each([
    ['writes and has something due', {}, {}, {}, true],
    ['does not write', { is_on: 0 }, {}, {}, false],
    ['has waited until now', { wait_until: 100 }, {}, {}, true],
    ['must wait longer', { wait_until: 101 }, {}, {}, false],
    ['was copying the CRM until now', {}, { wait_until: 100, lease_until: 100 }, {}, true],
    ['must wait before it reads the CRM', {}, { wait_until: 101 }, {}, false],
    ['is copying the CRM', {}, { lease_until: 101 }, {}, false],
    ['has nothing due yet', {}, {}, { next_try_at: 101 }, false],
    ['has nothing to do', {}, {}, { next_try_at: null }, false],
  ])('include only those ready to write: an account that %s', async (_title, settings, copy, write, isListed) => {
    await add('crm_write_settings', { is_on: 1, ...settings });
    await add('crm_sync_states', copy);
    await addWrite('w1', { next_try_at: 100, ...write });
    expect(await listWritingAccounts(db, 100)).toEqual(isListed ? [ACCOUNT] : []);
  });

  it('do not depend on the CRM copy or the rows of another account', async () => {
    for (const account_id of [ACCOUNT + 1, ACCOUNT + 2]) await add('accounts', { account_id });
    await add('crm_write_settings', { is_on: 1 }, { account_id: ACCOUNT + 1, is_on: 1 });
    await add('crm_sync_states', { account_id: ACCOUNT + 2, lease_until: 101 });
    await addWrite('w1', { next_try_at: 100 });
    expect(await listWritingAccounts(db, 100)).toEqual([ACCOUNT]);
  });
});

describe('the write-back settings', () => {
  const save = (isOn: boolean) =>
    saveWriteSettings(db, { accountId: ACCOUNT, isOn, changedBy: 3 }, 100, eventOf('write-back.changed'));
  const listDueWrites = () =>
    rowsOf('SELECT id, next_try_at AS at FROM crm_writes WHERE next_try_at IS NOT NULL ORDER BY id');

  it('are saved with an event', async () => {
    await save(true);
    expect(await findWriteSettings(db, ACCOUNT)).toEqual({
      accountId: ACCOUNT,
      isOn: true,
      changedBy: 3,
      changedAt: 100,
      state: 'ready',
      said: '',
      waitUntil: 0,
      movesBalance: null,
    });
    expect(await readAuditActions()).toEqual(['write-back.changed']);
    expect(await findWriteSettings(db, ACCOUNT + 1)).toBeUndefined();
  });

  it('reset the account’s state when saved, and retry refused records when turned on', async () => {
    await add('crm_write_settings', { is_on: 1, state: 'cannot', said: 'No', wait_until: 999 });
    await addWrite('w1', { state: 'refused' });
    await addWrite('w2', { state: 'unknown' });
    await addWrite('w3', { state: 'due' });
    await addWrite('w4', { state: 'refused', account_id: ACCOUNT + 1 });
    await save(false);
    expect(await findWriteSettings(db, ACCOUNT)).toMatchObject({ isOn: false, state: 'ready', said: '', waitUntil: 0 });
    expect(await listDueWrites()).toEqual([]);
    await save(true);
    expect(await findWriteSettings(db, ACCOUNT)).toMatchObject({ isOn: true, changedBy: 3 });
    expect(await listDueWrites()).toEqual([{ id: 'w1', at: 100 }]);
  });

  it('store a pause and the observed effect for their own account only', async () => {
    await add('accounts', { account_id: ACCOUNT + 1 });
    await add('crm_write_settings', { is_on: 1, state: 'cannot', said: 'No' }, { account_id: ACCOUNT + 1, is_on: 1 });
    await pauseWriteBack(db, ACCOUNT, { waitUntil: 500 });
    await saveObservedEffect(db, ACCOUNT, true);
    const expected = { waitUntil: 500, movesBalance: true, state: 'ready', said: '' };
    expect(await findWriteSettings(db, ACCOUNT)).toMatchObject(expected);
    expect(await findWriteSettings(db, ACCOUNT + 1)).toMatchObject({ waitUntil: 0, movesBalance: null });
  });
});
