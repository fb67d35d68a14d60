import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, db, rowsOf } from '#tests/support/unit/rows';
import {
  claimCursor,
  createCursors,
  findReconciliationCursors,
  isReadUpTo,
  listDueCursors,
  releaseCursor,
} from './cursors.ts';

beforeEach(() => addClinic());

const readCursors = () => rowsOf('SELECT * FROM reconciliation_cursors ORDER BY method');

describe('the cursors of an account', () => {
  it('start at the first terminal’s creation, one per method, and are created once', async () => {
    await add('terminals', { terminal_id: 't1', created_at: 60 }, { terminal_id: 't2', created_at: 50 });
    await createCursors(db, 100);
    const first = {
      account_id: ACCOUNT,
      read_from: 50,
      read_until: 50,
      resume_from: null,
      next_at: 100,
      lease_until: 0,
    };
    const expected = ['ach', 'card'].map((method) => ({ ...first, method, ended_at: null, failing_since: null }));
    expect(await readCursors()).toEqual(expected);
    await createCursors(db, 200);
    expect(await readCursors()).toEqual(expected);
  });

  it('are not created without a terminal', async () => {
    await createCursors(db, 100);
    expect(await readCursors()).toEqual([]);
  });

  it('count as read up to a time only if both methods are', async () => {
    await add('reconciliation_cursors', { method: 'card', read_until: 50 });
    expect(await isReadUpTo(db, ACCOUNT, 50)).toBe(false);
    await add('reconciliation_cursors', { method: 'ach', read_until: 60 });
    expect(await isReadUpTo(db, ACCOUNT, 50)).toBe(true);
    expect(await isReadUpTo(db, ACCOUNT, 51)).toBe(false);
    expect(await findReconciliationCursors(db, ACCOUNT)).toHaveLength(2);
  });
});

describe('due cursors', () => {
  const listDue = async (limit = 10, catchUpTo: number | null = null) =>
    (await listDueCursors(db, 100, limit, catchUpTo)).map(({ method }) => method);

  it('are those whose time has come, most overdue first, up to a limit', async () => {
    await add('reconciliation_cursors', { method: 'card', next_at: 100 }, { method: 'ach', next_at: 99 });
    expect(await listDue()).toEqual(['ach', 'card']);
    expect(await listDue(1)).toEqual(['ach']);
  });

  it('exclude those with a later time or under another run’s lease', async () => {
    await add(
      'reconciliation_cursors',
      { method: 'card', next_at: 101 },
      { method: 'ach', next_at: 1, lease_until: 101 },
    );
    expect(await listDue()).toEqual([]);
  });

  it('include those that have not been read up to a restore, even before their time', async () => {
    await add('reconciliation_cursors', { method: 'card', next_at: 101, read_until: 49 });
    await add('reconciliation_cursors', { method: 'ach', next_at: 101, read_until: 50 });
    expect(await listDue(10, 50)).toEqual(['card']);
    expect(await listDue(10, 51)).toEqual(['card', 'ach']);
  });

  it('include those that are due after a restore, but never while they are leased', async () => {
    await add('reconciliation_cursors', { method: 'card', next_at: 100, read_until: 60, lease_until: 100 });
    await add('reconciliation_cursors', { method: 'ach', next_at: 1, read_until: 1, lease_until: 101 });
    expect(await listDue(10, 50)).toEqual(['card']);
  });
});

describe('claiming a cursor', () => {
  const card = { accountId: ACCOUNT, method: 'card' as const };

  it('holds it exclusively until the lease ends', async () => {
    await add('reconciliation_cursors', { method: 'card' }, { method: 'ach' });
    expect(await claimCursor(db, card, { now: 100, leaseMs: 10 })).toMatchObject({ method: 'card', leaseUntil: 110 });
    expect(await claimCursor(db, card, { now: 109, leaseMs: 10 })).toBeNull();
    expect(await claimCursor(db, card, { now: 110, leaseMs: 10 })).toMatchObject({ leaseUntil: 120 });
    expect(await readCursors()).toMatchObject([{ method: 'ach', lease_until: 0 }, { lease_until: 120 }]);
  });

  it('ends with its release, which leaves the other method unchanged', async () => {
    await add(
      'reconciliation_cursors',
      { method: 'card', lease_until: 9 },
      { method: 'ach', lease_until: 8, next_at: 7 },
    );
    await releaseCursor(db, card, { nextAt: 200, failingSince: 150, readUntil: 140 });
    expect(await readCursors()).toMatchObject([
      { method: 'ach', lease_until: 8, next_at: 7, failing_since: null },
      { method: 'card', lease_until: 0, next_at: 200, failing_since: 150, read_until: 140 },
    ]);
  });
});
