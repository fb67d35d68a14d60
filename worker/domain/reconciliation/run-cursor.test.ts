import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, NOW, refundOf } from '#tests/support/unit/shown-gateway';
import type { Deps } from '#worker/deps';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { reconcileAccount, reconcileAccounts } from './reconcile-accounts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LAG = 1_000;
type Page = { transactions: GatewayTransaction[]; isLast: boolean } | 'unavailable';
type Call = { terminal: string; from: number; to: number; page: number };

beforeEach(() => addClinic({ time_zone: 'UTC' }, 't1'));

const addCursor = (overrides: Record<string, unknown> = {}, method = 'card') =>
  add('reconciliation_cursors', { method, read_from: 1, read_until: NOW - DAY, next_at: NOW, ...overrides });
const cursor = async () => (await rowsOf('SELECT * FROM reconciliation_cursors'))[0];
const storedIds = async () =>
  (await rowsOf('SELECT provider_txn_id AS id FROM gateway_transactions ORDER BY 1')).map(({ id }) => id);
const sale = (id: string, createdAt: number | null = NOW - HOUR) =>
  refundOf({ id, attemptId: '', kind: 'SALE', createdAt });
const lastPage: Page = { transactions: [], isLast: true };

function makeWorld(pages: (calls: Call) => Page = () => lastPage, settings: Record<string, unknown> = {}, now = NOW) {
  const { deps, logs } = depsWithGateway([], now);
  const calls: Call[] = [];
  const gateway = {
    ...deps.gateway,
    listBatches: async () => [],
    listTransactions: async (
      terminal: { terminalId: string },
      _method: string,
      window: { from: number; to: number },
      page: number,
    ) => {
      const call = { terminal: terminal.terminalId, ...window, page };
      calls.push(call);
      return pages(call);
    },
  };
  const allSettings = { ...deps.settings, SEARCH_LAG_MS: LAG, ...settings };
  return { deps: { ...deps, gateway, settings: allSettings } as unknown as Deps, logs, calls };
}

describe('a reconciliation run', () => {
  it('reads up to shortly before now, and is due again at night', async () => {
    await addCursor({ failing_since: 5 });
    const { deps, calls } = makeWorld();
    expect(await reconcileAccount(deps, ACCOUNT, 'card')).toBe('finished');
    expect(calls[0]).toEqual({ terminal: 't1', from: NOW - 4 * DAY, to: NOW, page: 1 });
    const endedCursor = {
      read_until: NOW - LAG,
      resume_from: null,
      ended_at: NOW,
      failing_since: null,
      lease_until: 0,
    };
    expect(await cursor()).toMatchObject({ ...endedCursor, next_at: NOW + 2 * HOUR });
  });

  it.each<[string, 'card' | 'ach', Record<string, unknown>, number]>([
    ['three days back for cards', 'card', {}, NOW - 4 * DAY],
    ['65 days back for debits', 'ach', {}, NOW - 66 * DAY],
    ['no earlier than the first read', 'card', { read_from: NOW - 2 * DAY }, NOW - 2 * DAY],
    ['where an earlier run stopped', 'card', { resume_from: NOW - HOUR }, NOW - HOUR],
  ])('starts its list %s', async (_title, method, overrides, from) => {
    await addCursor(overrides, method);
    const { deps, calls } = makeWorld();
    await reconcileAccount(deps, ACCOUNT, method);
    expect(calls[0]).toMatchObject({ from });
  });

  it('never moves its cursor back', async () => {
    await addCursor({ read_until: NOW - LAG + 1 });
    await reconcileAccount(makeWorld().deps, ACCOUNT, 'card');
    expect(await cursor()).toMatchObject({ read_until: NOW - LAG + 1 });
  });

  it('does not start while another one is running', async () => {
    await addCursor({ lease_until: NOW + 1 });
    const { deps, calls } = makeWorld();
    expect([await reconcileAccount(deps, ACCOUNT, 'card'), calls]).toEqual(['busy', []]);
  });

  it('leases its cursor for five minutes', async () => {
    await addCursor();
    let leaseUntil: unknown;
    const { deps } = makeWorld();
    const listTransactions = async () => {
      leaseUntil = (await cursor())?.lease_until;
      return lastPage;
    };
    await reconcileAccount(
      { ...deps, gateway: { ...deps.gateway, listTransactions } } as unknown as Deps,
      ACCOUNT,
      'card',
    );
    expect(leaseUntil).toBe(NOW + 5 * MINUTE);
  });

  it('finishes when the account has no terminal that may be queried', async () => {
    await rowsOf('DELETE FROM terminals');
    await addCursor();
    const { deps, calls } = makeWorld();
    expect(await reconcileAccount(deps, ACCOUNT, 'card')).toBe('finished');
    expect([calls, await cursor()]).toMatchObject([[], { read_until: NOW - DAY, resume_from: null }]);
  });
});

describe('a run of many pages', () => {
  it('stores every page, and continues with the terminal that answered', async () => {
    await add('terminals', { terminal_id: 't2' });
    await addCursor();
    const { deps, calls } = makeWorld(({ terminal, page }) =>
      terminal === 't1' ? 'unavailable' : { transactions: [sale(`g${page}`)], isLast: page === 3 },
    );
    expect(await reconcileAccount(deps, ACCOUNT, 'ach')).toBe('busy');
    expect(await reconcileAccount(deps, ACCOUNT, 'card')).toBe('finished');
    const listedPages = calls
      .filter(({ from }) => from === NOW - 4 * DAY)
      .map(({ terminal, page }) => [terminal, page]);
    expect(listedPages).toEqual([
      ['t1', 1],
      ['t2', 1],
      ['t2', 2],
      ['t2', 3],
    ]);
    expect(await storedIds()).toEqual(['g1', 'g2', 'g3']);
  });

  it('stops after twenty pages and resumes from the newest transaction seen', async () => {
    await addCursor();
    const { deps, calls } = makeWorld(({ page }) => ({
      transactions: [sale(`g${page}`, NOW - 3 * DAY + page), sale(`h${page}`, null)],
      isLast: false,
    }));
    expect(await reconcileAccount(deps, ACCOUNT, 'card')).toBe('to-be-continued');
    expect(calls).toHaveLength(20);
    const expected = { resume_from: NOW - 3 * DAY + 20, read_until: NOW - DAY, next_at: NOW, ended_at: null };
    expect([await cursor(), (await storedIds()).length]).toMatchObject([expected, 40]);
  });

  it('moves on by a minute when one minute has more than twenty pages', async () => {
    await addCursor();
    const from = NOW - 4 * DAY;
    const { deps } = makeWorld(() => ({ transactions: [sale('g1', from)], isLast: false }));
    expect(await reconcileAccount(deps, ACCOUNT, 'card')).toBe('to-be-continued');
    expect(await cursor()).toMatchObject({ resume_from: from + MINUTE });
  });

  it.each([1, 2, 3])('keeps what it read before page %i went unanswered', async (unansweredPage) => {
    await addCursor();
    const { deps, logs } = makeWorld(({ page }) =>
      page === unansweredPage ? 'unavailable' : { transactions: [sale(`g${page}`)], isLast: false },
    );
    expect(await reconcileAccount(deps, ACCOUNT, 'card')).toBe('unavailable');
    expect(await storedIds()).toEqual(['g1', 'g2'].slice(0, unansweredPage - 1));
    const haltedFields = { accountId: ACCOUNT, method: 'card', cause: 'the gateway does not answer' };
    expect(logs).toEqual([['reconciliation-halted', haltedFields]]);
    const retryCursor = {
      next_at: NOW + 15 * MINUTE,
      failing_since: NOW,
      read_until: NOW - DAY,
      ended_at: null,
      lease_until: 0,
    };
    expect(await cursor()).toMatchObject(retryCursor);
  });

  it('keeps the time of its first failure, whatever the cause', async () => {
    await addCursor({ failing_since: 5 });
    const { deps, logs } = makeWorld(() => {
      throw new Error('no words');
    });
    expect(await reconcileAccount(deps, ACCOUNT, 'card')).toBe('unavailable');
    expect(await cursor()).toMatchObject({ failing_since: 5 });
    expect(logs).toMatchObject([['reconciliation-halted', { cause: expect.stringContaining('no words') }]]);
  });
});

describe('the accounts of one scheduled run', () => {
  it('include the due accounts, and get cursors if they are new', async () => {
    const { deps, calls } = makeWorld();
    await reconcileAccounts(deps);
    expect(await rowsOf('SELECT method, ended_at FROM reconciliation_cursors ORDER BY 1')).toEqual([
      { method: 'ach', ended_at: NOW },
      { method: 'card', ended_at: NOW },
    ]);
    const callsBefore = calls.length;
    await reconcileAccounts(deps);
    expect(calls).toHaveLength(callsBefore);
  });

  it.each<[string, Record<string, unknown>, number | null, number, boolean]>([
    ['after a restore of the installation', { RESTORED_AT: NOW - LAG }, null, NOW, true],
    ['right before the gateway’s lists are complete', { RESTORED_AT: NOW - LAG + 1 }, null, NOW, false],
    ['after a restore of the clinic', {}, NOW - LAG, NOW, true],
    ['after the later of two restores', { RESTORED_AT: 5 }, NOW - LAG, NOW, true],
    ['without a restore', {}, null, NOW, false],
  ])('are read at once only after a restore: %s', async (_title, settings, restored_at, now, isRead) => {
    await rowsOf('UPDATE accounts SET restored_at = ?', restored_at);
    for (const method of ['card', 'ach']) await addCursor({ read_until: NOW - 2 * LAG, next_at: NOW + 1 }, method);
    const { deps, calls } = makeWorld(() => lastPage, settings, now);
    await reconcileAccounts(deps);
    expect(calls.length > 0).toBe(isRead);
  });

  it('wait while the records of a restored clinic are copied again', async () => {
    await rowsOf('UPDATE accounts SET restored_at = 5');
    await add('crm_sync_states', { complete_at: null });
    await addCursor();
    await addCursor({}, 'ach');
    const { deps, calls } = makeWorld();
    await reconcileAccounts(deps);
    expect(calls).toEqual([]);
  });
});
