import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import type { Deps } from '#worker/deps';
import { viewWriteBack, WRITE_SCOPE } from './settings.ts';
import { exportUnrecorded, recordByHand } from './unrecorded.ts';

const NOW = 1_000_000_000_000;
const merchant = { sessionId: '', accountId: ACCOUNT, userId: 3, role: 'admin' } as const;

beforeEach(() => addClinic());

function depsOf(scopes: string = WRITE_SCOPE) {
  const logs: unknown[][] = [];
  const actor = { kind: 'staff', id: '3', sessionId: '', ipHash: '', requestId: '' };
  const otherDeps = { actor, now: () => NOW, newId: () => crypto.randomUUID(), crm: { displayName: 'HubSpot' } };
  const log = { info: (...args: unknown[]) => logs.push(args) };
  return { logs, deps: { db, log, settings: { HUBSPOT_OPTIONAL_SCOPES: scopes }, ...otherDeps } as unknown as Deps };
}

describe('the write-back view', () => {
  const scopes = `oauth ${WRITE_SCOPE} more`;
  it.each<[string, Record<string, unknown> | null, Record<string, unknown> | null, Record<string, unknown>]>([
    ['records payments', { is_on: 1 }, { scopes }, { is_on: true, is_granted: true, trouble: '', said: '' }],
    ['is off', { is_on: 0, state: 'cannot' }, { scopes }, { is_on: false, is_granted: true, trouble: '' }],
    ['was never on', null, { scopes }, { is_on: false, is_granted: true, trouble: '', said: '' }],
    ['was refused', { is_on: 1, state: 'cannot', said: 'No' }, { scopes }, { trouble: 'cannot', said: 'No' }],
    ['lacks the grant', { is_on: 1 }, { scopes: 'oauth' }, { is_granted: false, trouble: 'not_allowed' }],
    ['is no longer connected', { is_on: 1 }, { scopes, revoked_at: 1 }, { is_granted: false, trouble: 'not_allowed' }],
    ['was never connected', { is_on: 1 }, null, { is_granted: false, trouble: 'not_allowed' }],
  ])('shows an account that %s', async (_title, settings, tokens, expected) => {
    if (settings) await add('crm_write_settings', settings);
    if (tokens) await add('crm_tokens', tokens);
    expect(await viewWriteBack(depsOf().deps, merchant)).toMatchObject({ ...expected, is_offered: true });
  });

  it('offers write-back only when the installation requests the grant', async () => {
    expect(await viewWriteBack(depsOf('a b').deps, merchant)).toMatchObject({ is_offered: false });
  });
});

describe('marking an entry as recorded by hand', () => {
  beforeEach(async () => {
    await addPayment('p1');
    await addEntry('p1', { at: 5 });
  });

  it.each([
    ['p1', '{"note":"Done"}'],
    ['rev-p1-b1', '{"note":"Done","refund":true}'],
  ])('writes an audit event for %s', async (id, after) => {
    const reversal = { id: 'rev-p1-b1', attempt_id: 'p1', kind: 'reversal', state: 'unknown' };
    await add('crm_writes', reversal);
    const { deps, logs } = depsOf();
    expect(await recordByHand(deps, merchant, id, 'Done')).toBe(true);
    const event = { action: 'payment.recorded-by-hand', subject_id: 'p1', after };
    expect(await rowsOf('SELECT action, subject_id, after FROM audit_events')).toEqual([event]);
    expect(logs).toEqual([['recorded-by-hand', { accountId: ACCOUNT, userId: 3, attemptId: 'p1' }]]);
  });

  it('writes nothing when there is no such payment', async () => {
    const { deps, logs } = depsOf();
    expect(await recordByHand(deps, merchant, 'p9', 'Done')).toBe(false);
    expect(logs).toEqual([]);
  });
});

it('exports the entries that the CRM does not show and records the number of rows', async () => {
  await addPayment('p1', { invoice_number: 'INV-1' });
  await addPayment('p2', { invoice_number: 'INV-2', refunded_cents: 300 });
  await addEntry('p1', { at: 5 });
  await addEntry('p2', { at: 6 });
  await addEntry('p2', { provider_txn_id: 'b2', kind: 'refund', amount_cents: -300, at: 7 });
  const refusedColumns = { state: 'refused', said: 'No' };
  await add('crm_writes', { ...refusedColumns, id: 'pay-p1', attempt_id: 'p1', kind: 'payment' });
  await add('crm_writes', { id: 'pay-p2', attempt_id: 'p2', kind: 'payment', state: 'by_hand' });
  await add('crm_writes', { ...refusedColumns, id: 'rev-p2-b2', attempt_id: 'p2', kind: 'reversal' });
  let file = '';
  for await (const part of exportUnrecorded(depsOf().deps, ACCOUNT)) file += part;
  const [header, ...lines] = file.replaceAll('"', '').trim().split(/\r?\n/);
  expect(header).toMatch(/Invoice Number,What,Customer,Amount,Currency,When,Transaction,State,Why$/);
  expect(lines.map((line) => line.split(',').slice(0, 4).join())).toEqual([
    'INV-2,Refund,,3.00',
    'INV-1,Payment,,100.00',
  ]);
  expect(await rowsOf('SELECT after FROM audit_events')).toEqual([{ after: '{"rows":2}' }]);
});
