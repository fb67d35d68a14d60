/** A mutant that no test can kill: its text (`textOf`) and the reason why the change has no effect. */
export type AcceptedMutant = { text: string; reason: string };

export const acceptedMutants: AcceptedMutant[] = [
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text quotes a product line
    text: 'worker/data/takings/day.ts: WHERE account_id = ${accountId} AND day IN (${day}, ${weekBefore})`; | AND -> OR',
    reason: 'A clinic’s database has one account, and the sheet picks its two days from any surplus rows by name.',
  },
  {
    text: "worker/data/installments/collections.ts: AND w.state = 'written' AND w.effect = 'balance_moved' AND coalesce(w.sent_at, w.done_at) >= c.opened_at), 0)`; | w.state = 'written' -> 1",
    reason: 'The effect of a record is only read once it is written, so no record in another state moved a balance.',
  },
  {
    text: 'worker/domain/write-back/record-payment.ts: if (connection.movesBalance === null && now() - (row.sentAt ?? 0) < MAX_UNKNOWN_EFFECT_MS) { | 0 -> 1',
    reason: 'One millisecond after the epoch is as long ago as the epoch itself.',
  },
  {
    text: "worker/data/payments/attempts.ts: const statements = claimStatements(db, { row, event, submission }, override, override ? null : 'by link'); | override -> true",
    reason: 'Statement text that is not cached is built anew each time, and is identical.',
  },
  {
    text: 'worker/data/payments/attempts.ts: const statements = settlementStatements(db, values, { ...shape, guard }, guard ? null : JSON.stringify(shape)); | guard -> true',
    reason: 'Statement text that is not cached is built anew each time, and is identical.',
  },
  {
    text: 'worker/data/installments/collections.ts: AND s.n = c.n | s.n = c.n -> 1',
    reason: 'The sum paid is the same for each collection of an invoice, and the query only tests that a row exists.',
  },
  {
    text: 'worker/data/invoices/invoices.ts: totalCents !== null && earlierCents != null && earlierCents > 0 && totalCents - earlierCents === requestedCents; | && -> ||',
    reason: 'The earlier payment is stored only together with a total, so without a total both are absent.',
  },
  {
    text: 'worker/data/invoices/merchant-invoice.ts: .limit(1), | 1 -> 2',
    reason: 'The caller reads only the first row.',
  },
  ...['< -> <=', '2 -> 3'].map((change) => ({
    text: `worker/domain/payments/take-payment.ts: for (let tries = 0; tries < 2; tries++) { | ${change}`,
    reason: 'A claim that fails twice without a competing claim also fails a third time.',
  })),
  {
    text: "worker/domain/payments/pay-outcome.ts: if (updatedAttempt.state === 'approved') await sendMail(deps, receiptMailId(updatedAttempt.id)); | updatedAttempt.state === 'approved' -> true",
    reason: 'An unpaid attempt has no pending receipt to send.',
  },
  {
    text: 'worker/data/reconciliation/cursors.ts: .limit(1); | 1 -> 2',
    reason: 'The caller reads only the first row.',
  },
  {
    text: 'worker/data/reconciliation/cursors.ts: catchUpTo === null ? isDue : or(isDue, lt(cursorTable.readUntil, catchUpTo)), | catchUpTo === null -> false',
    reason: 'A comparison with NULL is never true.',
  },
  {
    text: 'worker/data/reconciliation/lost-attempts.ts: const BATCH_SIZE = 50; | 50 -> 51',
    reason: 'All rows are written, only in a slightly different number of transactions.',
  },
  {
    text: 'worker/data/reconciliation/gateway-transactions.ts: .where(and(eq(transactionTable.accountId, accountId), eq(transactionTable.method, method), isListed))), | isListed -> undefined',
    reason: 'The caller filters surplus rows by id.',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text quotes a product line
    text: 'worker/data/reconciliation/gateway-transactions.ts: rawSql`${SELECT_LINES} WHERE g.account_id = ${accountId} AND g.provider_txn_id IN (SELECT value FROM json_each(${ids}))`, | g.provider_txn_id IN (SELECT value FROM json_each(${ids})) -> 1',
    reason: 'Each line picks its own row by id and ignores surplus rows.',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text quotes a product line
    text: 'worker/data/reconciliation/gateway-transactions.ts: rawSql`${SELECT_LINES} WHERE g.account_id = ${accountId} AND g.provider_txn_id IN (SELECT value FROM json_each(${ids}))`, | AND -> OR',
    reason: 'Each line picks its own row by id and ignores surplus rows.',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text quotes a product line
    text: 'worker/data/takings/day.ts: WHERE account_id = ${accountId} AND day IN (${day}, ${weekBefore})`; | day IN (${day}, ${weekBefore}) -> 1',
    reason: 'The sheet picks its two days from any surplus rows by name.',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text quotes a product line
    text: 'worker/data/takings/day.ts: AND i.paid_at BETWEEN ${Math.min(from, Date.parse(day))} AND ${Math.max(to, Date.parse(day))} | i.paid_at BETWEEN ${Math.min(from, Date.parse(day))} AND ${Math.max(to, Date.parse(day))} -> 1',
    reason: 'The next condition decides; this one only enables the index.',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text quotes a product line
    text: 'worker/data/takings/day.ts: ON c.account_id = t.account_id AND c.terminal_id = t.terminal_id AND c.ended_at BETWEEN ${from} AND ${to} | c.terminal_id = t.terminal_id -> 1',
    reason: 'Every close belongs to a terminal of the account, and only the last close is read.',
  },
  {
    text: 'worker/domain/write-back/unrecorded.ts: const mayFinish = (entry: RecordedEntry) => isWriting || (entry.since ?? 0) > now() - RESPONSE_WAIT_MS; | 0 -> 1',
    reason: 'One millisecond after the epoch is as long ago as the epoch itself.',
  },
  {
    text: 'worker/domain/write-back/write.ts: if (!settings?.isOn) return; | !settings?.isOn -> false',
    reason: 'Only accounts with write-back on are listed; the check covers one that is switched off in between.',
  },
  {
    text: "worker/domain/batches/close.ts: if (!close) return { kind: 'nothing-open' }; | !close -> false",
    reason: 'The close was claimed a moment ago, so it exists.',
  },
  {
    text: "worker/domain/refunds/inquire-reversal-status.ts: loadedReversal.state === 'sent' ? await expireSentReversal(deps, loadedReversal, attempt) : loadedReversal; | loadedReversal.state === 'sent' -> true",
    reason: 'In any other state this transition has no effect.',
  },
  {
    text: 'worker/domain/reconciliation/view-reconciliation.ts: lines.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : sortKey(a) > sortKey(b) ? 1 : 0)); | 1 -> 2',
    reason: 'A sort uses only the sign of the comparison.',
  },
  {
    text: 'worker/domain/reconciliation/view-reconciliation.ts: const netAmounts = rows.flatMap(({ netAmountCents }) => (netAmountCents === null ? [] : [netAmountCents])); | netAmountCents === null -> false',
    reason: 'The sums only add amounts above or below zero, and null is neither.',
  },
  {
    text: 'worker/data/reconciliation/gateway-transactions.ts: (SELECT max(named.invoice_id) FROM invoices named | max -> min',
    reason: 'The id is only read where a single invoice has the number, and then the largest id is also the smallest.',
  },
];
