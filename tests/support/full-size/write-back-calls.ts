import { hubs } from '#sandbox/credentials';
import type { Deps } from '#worker/deps';
import { WRITE_SCOPE } from '#worker/domain/write-back/settings';

const { hubId: accountId } = hubs[0];

/** Adds as many due CRM writes as one run handles, each of a record that the CRM lacks. */
export async function owePayments({ db, now }: Deps, invoiceIds: string[]): Promise<void> {
  const d1 = db.$client;
  await d1
    .prepare('INSERT OR REPLACE INTO crm_write_settings VALUES (?1, 1, 1, 0, ?2, ?3, 0, 1)')
    .bind(accountId, 'ready', '')
    .run();
  await d1
    .prepare(`UPDATE crm_tokens SET scopes = scopes || ?2 WHERE account_id = ?1`)
    .bind(accountId, ` ${WRITE_SCOPE}`)
    .run();
  for (const id of invoiceIds)
    await d1
      .prepare(
        `INSERT INTO crm_writes (id, account_id, invoice_id, attempt_id, kind, amount_cents, state, next_try_at, created_at)
          SELECT 'pay-' || attempt_id, account_id, invoice_id, attempt_id, 'payment', amount_cents, 'due', ?3, ?3 FROM ledger
          WHERE account_id = ?1 AND kind = 'payment' AND amount_cents > 0 AND attempt_id NOT IN (SELECT attempt_id FROM crm_writes)
            AND attempt_id NOT IN (SELECT attempt_id FROM ledger WHERE kind <> 'payment') AND ?2 <> '' LIMIT 1`,
      )
      .bind(accountId, id, now() - 1)
      .run();
}

/** A CRM that accepts each record and then reports the invoice as paid. */
export function recordingCrm({ crm }: Deps): Deps['crm'] {
  let isRecorded = false;
  return {
    ...crm,
    paymentRecords: {
      listRecords: async () => [],
      readBalance: async () => {
        const balanceCents = isRecorded ? 0 : 100_000_000;
        isRecorded = !isRecorded;
        return { isPaid: balanceCents === 0, balanceCents, billedCents: 100_000_000 };
      },
      createRecord: async () => ({ kind: 'written', id: '1' }),
      changeRecord: async (_token, id) => ({ kind: 'written', id }),
    },
  };
}
