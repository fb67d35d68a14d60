import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertRow } from '#tests/support/unit/insert-row';
import { testSettings } from '#tests/support/unit/settings';
import { MIN_GAP_MS } from '#worker/domain/crm-sync/sync-accounts';
import { readEnv } from '#worker/env';
import { CATCH_UP_MS, DUE, firstDue, SEAL_MS, SYNC_GAP_MS } from './next-alarm.ts';
import { asD1 } from './storage-as-d1.ts';

const CLINIC = 4001;
const ACCOUNT = 42;
const AT = 1_790_000_000_000;
const HOUR_MS = 3_600_000;
const openStub = () => env.CLINICS.getByName(String(CLINIC));

beforeAll(async () => {
  await openStub().found({ clinic: CLINIC, accountId: ACCOUNT });
});

afterAll(() => openStub().erase());

class Rollback extends Error {}

/** Returns the first due time (UTC ms) in a database that contains only these rows. */
const firstDueOf = (rows: [table: string, values: Record<string, unknown>][]) =>
  runInDurableObject(openStub(), async (_object, { storage }) => {
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
const auditCheckRow: [string, Record<string, unknown>] = ['audit_checks', { due_at: AT + 10 * HOUR_MS }];
const eventRow = (seq: number, at: number): [string, Record<string, unknown>] => ['audit_events', { seq, at }];

describe('the earliest due time of a clinic', () => {
  it.each<[title: string, rows: [string, Record<string, unknown>][], due: number]>([
    ['is infinite in an empty database', [], Number.POSITIVE_INFINITY],
    ['considers an attempt', [['payment_attempts', { next_check_at: AT }]], AT],
    ['ignores a settled attempt', [['payment_attempts', { next_check_at: null }]], Number.POSITIVE_INFINITY],
    ['considers an email', [['outbox', { next_try_at: AT, state: 'due' }]], AT],
    ['ignores an email that was sent', [['outbox', { next_try_at: AT, state: 'sent' }]], Number.POSITIVE_INFINITY],
    ['considers a revocation', [['pay_links', { revoke_at: AT, state: 'live' }]], AT],
    ['ignores a completed revocation', [['pay_links', { revoke_at: AT, state: 'revoked' }]], Number.POSITIVE_INFINITY],
    ['considers a reversal', [['reversals', { next_check_at: AT }]], AT],
    ['considers a dump', [['dumps', { id: 1, due_at: AT }]], AT],
    [
      'considers a read of transactions',
      [['reconciliation_cursors', { next_at: AT, lease_until: 0, method: 'card' }]],
      AT,
    ],
    [
      'waits for the lease of a read',
      [['reconciliation_cursors', { next_at: AT, lease_until: AT + 5, method: 'card' }]],
      AT + 5,
    ],
    [
      'considers the catch-up read after a restore',
      [
        auditCheckRow,
        ['accounts', { name: 'a', restored_at: AT }],
        ['reconciliation_cursors', { next_at: AT + 5 * HOUR_MS, read_until: AT - 1, method: 'card' }],
        ['reconciliation_cursors', { next_at: AT + 5 * HOUR_MS, read_until: AT, method: 'ach' }],
      ],
      AT + CATCH_UP_MS,
    ],
    [
      'considers the retry of a failed read after a restore',
      [
        auditCheckRow,
        ['accounts', { name: 'a', restored_at: AT }],
        ['reconciliation_cursors', { next_at: AT + HOUR_MS, read_until: 0, failing_since: AT, method: 'card' }],
      ],
      AT + HOUR_MS,
    ],
    [
      'ignores a read after a restore while the CRM is copied',
      [
        auditCheckRow,
        ['accounts', { name: 'a', restored_at: AT }],
        ['reconciliation_cursors', { next_at: AT, read_until: 0, method: 'card' }],
        ['crm_sync_states', { due_at: AT + HOUR_MS }],
      ],
      AT + HOUR_MS,
    ],
    ['is immediate for a terminal that was not read yet', [['terminals', { terminal_id: 't' }]], 0],
    [
      'ignores a terminal that was already read',
      [
        ['terminals', { terminal_id: 't' }],
        ['reconciliation_cursors', { next_at: AT, method: 'card' }],
      ],
      AT,
    ],
    ['considers a sync', [['crm_sync_states', { due_at: AT }]], AT],
    ['respects the wait that the CRM requested', [['crm_sync_states', { due_at: AT, wait_until: AT + 1 }]], AT + 1],
    ['waits for the lease of a sync', [['crm_sync_states', { due_at: AT, lease_until: AT + 2 }]], AT + 2],
    ['respects the gap between two syncs', [['crm_sync_states', { due_at: AT, requested_at: AT }]], AT + SYNC_GAP_MS],
    ['considers an event without a seal', [eventRow(1, AT), eventRow(2, AT + 5)], AT + SEAL_MS],
    [
      'considers the first event after a seal',
      [eventRow(1, AT), eventRow(2, AT + 5), ['audit_seals', { from_seq: 1, to_seq: 1 }]],
      AT + 5 + SEAL_MS,
    ],
    ['ignores a sealed event', [eventRow(1, AT), ['audit_seals', { from_seq: 1, to_seq: 1 }]], AT + 10 * HOUR_MS],
    [
      'ignores an event of account 0, which no turn seals',
      [['audit_events', { account_id: 0, seq: 1, at: AT }]],
      AT + 10 * HOUR_MS,
    ],
    ['considers refusals whose hour is over', [['audit_refusals', { hour: AT }]], AT + HOUR_MS],
    ['considers a check of the audit trail', [['audit_checks', { due_at: AT }]], AT],
    [
      'considers a daily payment notice',
      [
        ['users', { user_id: 1 }],
        ['payment_notices', { user_id: 1, how: 'daily', next_at: AT }],
      ],
      AT,
    ],
    [
      'considers a weekly email to an administrator',
      [
        ['audit_mails', { user_id: 1, next_at: AT }],
        ['users', { user_id: 1, role: 'admin' }],
      ],
      AT,
    ],
    [
      'ignores a weekly email to other staff',
      [
        ['audit_mails', { user_id: 1, next_at: AT }],
        ['users', { user_id: 1, role: 'desk' }],
      ],
      Number.POSITIVE_INFINITY,
    ],
    [
      'is the earliest of several',
      [
        ['outbox', { next_try_at: AT + 9, state: 'due' }],
        ['audit_checks', { due_at: AT + 5 }],
        ['reversals', { next_check_at: AT + 7 }],
      ],
      AT + 5,
    ],
  ])('%s', async (_title, rows, due) => {
    const allRows = rows.some(([table]) => table === 'audit_events') ? [auditCheckRow, accountRow, ...rows] : rows;
    expect(await firstDueOf(allRows)).toBe(due);
  });

  it('uses the same intervals as the sync and the reconciliation', () => {
    expect(SYNC_GAP_MS).toBe(MIN_GAP_MS);
    expect(CATCH_UP_MS).toBe(readEnv(testSettings('http://127.0.0.1:1')).SEARCH_LAG_MS);
  });

  it('scans no table that grows', async () => {
    const plan = await runInDurableObject(openStub(), (_object, { storage }) =>
      storage.sql.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${DUE}`).toArray(),
    );
    const scannedTables = plan.flatMap(({ detail }) => /^SCAN (?!CONSTANT)(\w+)/.exec(detail)?.[1] ?? []);
    // This table has only one or two rows.
    expect(new Set(scannedTables)).toEqual(new Set(['terminals']));
  });
});
