import { expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addPayment, db } from '#tests/support/unit/rows';
import { findSubjects } from './trail.ts';

const OTHER_ACCOUNT = ACCOUNT + 1;

it.each(['payment', 'reversal', 'invoice'] as const)('finds only the account’s own subjects: %s', async (kind) => {
  await addClinic();
  await add('accounts', { account_id: OTHER_ACCOUNT });
  for (const [account_id, id] of [
    [ACCOUNT, 'own'],
    [OTHER_ACCOUNT, 'foreign'],
  ] as const) {
    await add('invoices', { account_id, invoice_id: id });
    await addPayment(id, { account_id });
    await add('reversals', { account_id, id, attempt_id: id, kind: 'refund', amount_cents: 1, state: 'approved' });
  }
  const events = ['own', 'foreign'].map((subjectId) => ({ subjectKind: kind, subjectId }));
  expect([...(await findSubjects(db, ACCOUNT, events)).keys()]).toEqual([`${kind}:own`]);
});
