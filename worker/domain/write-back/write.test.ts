import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { addEntry, addPayment, rowsOf } from '#tests/support/unit/rows';
import { makeWorld } from '#tests/support/unit/world';
import { addWrite, storedSettings } from '#tests/support/unit/write-back';
import type { CrmPaymentRecords } from '#worker/vendors/hubspot/payment-records-port';
import { CrmError } from '#worker/vendors/hubspot/port';
import { WRITE_SCOPE } from './settings.ts';
import { writeBack } from './write.ts';

const DAY = 24 * 3_600_000;

/** An account that records payments, with `count` payments to record, and a CRM that gives these answers. */
async function makeClinic(count: number, answers: Partial<CrmPaymentRecords> = {}) {
  const world = await makeWorld();
  const { accountId, deps, clock } = world;
  const accountColumn = { account_id: accountId };
  for (let n = 0; n < count; n++) {
    await addPayment(`p${n}`, accountColumn);
    await addEntry(`p${n}`, accountColumn);
    const dueColumns = { attempt_id: `p${n}`, invoice_id: `p${n}`, next_try_at: clock.now };
    await addWrite(`pay-p${n}`, { ...accountColumn, ...dueColumns });
  }
  await env.DB.prepare('UPDATE crm_tokens SET scopes = ?1').bind(`oauth ${WRITE_SCOPE}`).run();
  await rowsOf(
    'INSERT INTO crm_write_settings (account_id, is_on, changed_by, changed_at) VALUES (?, 1, 1, 1)',
    accountId,
  );
  const pauses: number[] = [];
  deps.pause = async (ms) => void pauses.push(ms);
  const records = {
    listRecords: async () => [],
    readBalance: async () => ({ isPaid: false, balanceCents: null, billedCents: null }),
    ...answers,
  } as unknown as CrmPaymentRecords;
  deps.crm = { ...deps.crm, paymentRecords: records };
  return { ...world, pauses };
}
const states = () => rowsOf('SELECT state FROM crm_writes ORDER BY id');

describe('a scheduled write-back run', () => {
  it('records at most five payments with pauses between them, then waits half a second per call', async () => {
    const { deps, pauses, clock } = await makeClinic(6);
    await writeBack(deps);
    expect(pauses).toEqual([500, 500, 500, 500]);
    const counts = (await states()).map(({ state }) => state).sort();
    expect(counts).toEqual(['due', ...Array.from({ length: 5 }, () => 'unknown')]);
    // Two calls per payment: the list and the balance.
    expect(await storedSettings()).toMatchObject({ wait_until: clock.now + 10 * 500, state: 'ready' });
  });

  it.each([
    ['lacks the scope', "scopes = 'oauth'"],
    ['is revoked', 'revoked_at = 1'],
  ])('writes nothing when the grant %s, and waits a week', async (_title, change) => {
    const { deps, clock } = await makeClinic(1);
    await rowsOf(`UPDATE crm_tokens SET ${change}`);
    await writeBack(deps);
    expect(await storedSettings()).toMatchObject({ state: 'not_allowed', wait_until: clock.now + 7 * DAY });
    expect(await states()).toEqual([{ state: 'due' }]);
  });

  it.each([
    ['lacks scopes', new CrmError('missing-scopes', ''), 'not_allowed', 7 * DAY],
    ['asks for a pause', new CrmError('unavailable', '', 5_000), 'ready', 5_000],
    ['does not answer', new CrmError('unavailable', ''), 'ready', 60_000],
  ])('ends at the first payment when the CRM %s', async (_title, error, state, waitMs) => {
    const listRecords = async () => {
      throw error;
    };
    const { deps, clock, pauses, logs } = await makeClinic(2, { listRecords });
    await writeBack(deps);
    expect(await storedSettings()).toMatchObject({ state, wait_until: clock.now + waitMs });
    expect([pauses, logs.includes('write-back-paused')]).toEqual([[], true]);
  });

  it('fails on any other error', async () => {
    const listRecords = async () => {
      throw new Error('no memory');
    };
    await expect(writeBack((await makeClinic(1, { listRecords })).deps)).rejects.toThrow('no memory');
  });
});
