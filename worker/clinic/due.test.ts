import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertRow } from '#tests/support/unit/insert-row';
import { testSettings } from '#tests/support/unit/settings';
import { GAP_MS } from '#worker/domain/crm-sync/run';
import { readEnv } from '#worker/env';
import { CATCH_UP_MS, DUE, firstDue, SEAL_MS, SYNC_GAP_MS } from './due.ts';
import { asD1 } from './storage-as-d1.ts';

const CLINIC = 4001;
const ACCOUNT = 42;
const AT = 1_790_000_000_000;
const HOUR_MS = 3_600_000;
const open = () => env.CLINICS.getByName(String(CLINIC));

beforeAll(async () => {
  await open().found({ clinic: CLINIC, accountId: ACCOUNT });
});

afterAll(() => open().erase());

class Rollback extends Error {}

/** The first due time (UTC ms) of these rows in an otherwise empty database. */
const dueWith = (rows: [table: string, values: Record<string, unknown>][]) =>
  runInDurableObject(open(), async (_object, { storage }) => {
    const d1 = asD1(storage);
    let due = 0;
    await storage
      .transaction(async () => {
        await d1.prepare('PRAGMA defer_foreign_keys = on').run();
        for (const [table, values] of rows)
          await insertRow(d1, table, table === 'dumps' ? values : { account_id: ACCOUNT, ...values });
        due = firstDue(storage.sql);
        throw new Rollback();
      })
      .catch((cause: unknown) => {
        if (!(cause instanceof Rollback)) throw cause;
      });
    return due;
  });

const accountRow: [string, Record<string, unknown>] = ['accounts', { name: 'a' }];
const checked: [string, Record<string, unknown>] = ['audit_checks', { due_at: AT + 10 * HOUR_MS }];
const event = (seq: number, at: number): [string, Record<string, unknown>] => ['audit_events', { seq, at }];

describe('the earliest due time of a clinic', () => {
  it.each<[what: string, rows: [string, Record<string, unknown>][], due: number]>([
    ['nothing', [], Number.POSITIVE_INFINITY],
    ['an attempt', [['payment_attempts', { next_check_at: AT }]], AT],
    ['no settled attempt', [['payment_attempts', { next_check_at: null }]], Number.POSITIVE_INFINITY],
    ['an email', [['outbox', { next_try_at: AT, state: 'due' }]], AT],
    ['no email that was sent', [['outbox', { next_try_at: AT, state: 'sent' }]], Number.POSITIVE_INFINITY],
    ['a revocation', [['pay_links', { revoke_at: AT, state: 'live' }]], AT],
    [
      'no revocation that was carried out',
      [['pay_links', { revoke_at: AT, state: 'revoked' }]],
      Number.POSITIVE_INFINITY,
    ],
    ['a reversal', [['reversals', { next_check_at: AT }]], AT],
    ['a dump', [['dumps', { id: 1, due_at: AT }]], AT],
    ['a read of transactions', [['reconciliation_cursors', { next_at: AT, lease_until: 0, method: 'card' }]], AT],
    ['its lease', [['reconciliation_cursors', { next_at: AT, lease_until: AT + 5, method: 'card' }]], AT + 5],
    [
      'the read after a restore',
      [
        checked,
        ['accounts', { name: 'a', restored_at: AT }],
        ['reconciliation_cursors', { next_at: AT + 5 * HOUR_MS, read_until: AT - 1, method: 'card' }],
        ['reconciliation_cursors', { next_at: AT + 5 * HOUR_MS, read_until: AT, method: 'ach' }],
      ],
      AT + CATCH_UP_MS,
    ],
    [
      'a failed read after a restore',
      [
        checked,
        ['accounts', { name: 'a', restored_at: AT }],
        ['reconciliation_cursors', { next_at: AT + HOUR_MS, read_until: 0, failing_since: AT, method: 'card' }],
      ],
      AT + HOUR_MS,
    ],
    [
      'no read after a restore while the CRM is copied',
      [
        checked,
        ['accounts', { name: 'a', restored_at: AT }],
        ['reconciliation_cursors', { next_at: AT, read_until: 0, method: 'card' }],
        ['crm_sync_states', { due_at: AT + HOUR_MS }],
      ],
      AT + HOUR_MS,
    ],
    ['a terminal that is not read yet', [['terminals', { terminal_id: 't' }]], 0],
    [
      'no terminal that is read already',
      [
        ['terminals', { terminal_id: 't' }],
        ['reconciliation_cursors', { next_at: AT, method: 'card' }],
      ],
      AT,
    ],
    ['a sync', [['crm_sync_states', { due_at: AT }]], AT],
    ['the wait that the CRM requested', [['crm_sync_states', { due_at: AT, wait_until: AT + 1 }]], AT + 1],
    ['the lease of a sync', [['crm_sync_states', { due_at: AT, lease_until: AT + 2 }]], AT + 2],
    ['the gap between two syncs', [['crm_sync_states', { due_at: AT, requested_at: AT }]], AT + SYNC_GAP_MS],
    ['an event without a seal', [event(1, AT), event(2, AT + 5)], AT + SEAL_MS],
    [
      'the event after a seal',
      [event(1, AT), event(2, AT + 5), ['audit_seals', { from_seq: 1, to_seq: 1 }]],
      AT + 5 + SEAL_MS,
    ],
    ['no event with a seal', [event(1, AT), ['audit_seals', { from_seq: 1, to_seq: 1 }]], AT + 10 * HOUR_MS],
    [
      'no event of account 0, which no turn seals',
      [['audit_events', { account_id: 0, seq: 1, at: AT }]],
      AT + 10 * HOUR_MS,
    ],
    ['refusals whose hour is over', [['audit_refusals', { hour: AT }]], AT + HOUR_MS],
    ['a check of the trail', [['audit_checks', { due_at: AT }]], AT],
    [
      'a daily notice of payments to a person',
      [
        ['users', { user_id: 1 }],
        ['payment_notices', { user_id: 1, how: 'daily', next_at: AT }],
      ],
      AT,
    ],
    [
      'a weekly email to an administrator',
      [
        ['audit_mails', { user_id: 1, next_at: AT }],
        ['users', { user_id: 1, role: 'admin' }],
      ],
      AT,
    ],
    [
      'no weekly email to another member of staff',
      [
        ['audit_mails', { user_id: 1, next_at: AT }],
        ['users', { user_id: 1, role: 'desk' }],
      ],
      Number.POSITIVE_INFINITY,
    ],
    [
      'the first of several',
      [
        ['outbox', { next_try_at: AT + 9, state: 'due' }],
        ['audit_checks', { due_at: AT + 5 }],
        ['reversals', { next_check_at: AT + 7 }],
      ],
      AT + 5,
    ],
  ])('%s', async (_title, rows, due) => {
    const allRows = rows.some(([table]) => table === 'audit_events') ? [checked, accountRow, ...rows] : rows;
    expect(await dueWith(allRows)).toBe(due);
  });

  it('covers the times written by the sync and the reconciliation', () => {
    expect(SYNC_GAP_MS).toBe(GAP_MS);
    expect(CATCH_UP_MS).toBe(readEnv(testSettings('http://127.0.0.1:1')).SEARCH_LAG_MS);
  });

  it('scans no table that grows', async () => {
    const plan = await runInDurableObject(open(), (_object, { storage }) =>
      storage.sql.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${DUE}`).toArray(),
    );
    const walked = plan.flatMap(({ detail }) => /^SCAN (?!CONSTANT)(\w+)/.exec(detail)?.[1] ?? []);
    // This table has only one or two rows.
    expect(new Set(walked)).toEqual(new Set(['terminals']));
  });
});
