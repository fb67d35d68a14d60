/** A mutant that no test can kill, by its text (`textOf`), with the reason why it changes nothing that matters. */
export type Accepted = { text: string; why: string };

export const accepted: Accepted[] = [
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the product's line
    text: 'worker/data/takings/day.ts: WHERE account_id = ${accountId} AND day IN (${day}, ${weekBefore})`; | AND -> OR',
    why: 'A clinic’s database has one account, and of the days that are read too many the sheet takes the two by their names.',
  },
  {
    text: "worker/data/parts/collections.ts: AND w.state = 'written' AND w.effect = 'balance_moved' AND coalesce(w.sent_at, w.done_at) >= c.opened_at), 0)`; | w.state = 'written' -> 1",
    why: 'What a record has done is only read once it is written, so none in another state has moved a balance.',
  },
  {
    text: 'worker/domain/write-back/record-payment.ts: if (line.movesBalance === null && now() - (row.sentAt ?? 0) < LONGEST_UNTAUGHT_MS) { | 0 -> 1',
    why: 'A millisecond of 1970 is as long ago as its beginning.',
  },
  {
    text: "worker/data/payments/attempts.ts: const statements = claimStatements(db, { row, event, submission }, override, override ? null : 'by link'); | override -> true",
    why: 'A text that is not kept is written anew each time, and is the same one.',
  },
  {
    text: 'worker/data/payments/attempts.ts: const statements = settlementStatements(db, values, { ...shape, guard }, guard ? null : JSON.stringify(shape)); | guard -> true',
    why: 'A text that is not kept is written anew each time, and is the same one.',
  },
  {
    text: 'worker/data/parts/collections.ts: AND s.n = c.n | s.n = c.n -> 1',
    why: 'What was paid is the same sum for each collection of an invoice, and it is only asked whether there is a row.',
  },
  {
    text: 'worker/data/invoices/invoices.ts: const showsPaidBefore = totalCents !== null && before != null && before > 0 && totalCents - before === requestedCents; | && -> ||',
    why: 'What was paid before is kept only with a total, so where there is none, neither is there.',
  },
  {
    text: 'worker/data/invoices/merchant-invoice.ts: .limit(1), | 1 -> 2',
    why: 'The first row is read, and no other one.',
  },
  ...['< -> <=', '2 -> 3'].map((change) => ({
    text: `worker/domain/payments/take-payment.ts: for (let tries = 0; tries < 2; tries++) { | ${change}`,
    why: 'A claim that is lost twice without anybody in the way is lost a third time, too.',
  })),
  {
    text: "worker/domain/payments/pay-outcome.ts: if (settled.state === 'approved') await sendMail(deps, receiptMailId(settled.id)); | settled.state === 'approved' -> true",
    why: 'An attempt that was not paid owes no receipt that could be sent.',
  },
  {
    text: 'worker/data/reconciliation/cursors.ts: .limit(1); | 1 -> 2',
    why: 'Only the first row is looked at.',
  },
  {
    text: 'worker/data/reconciliation/cursors.ts: .where(and(catchUpTo === null ? isDue : or(isDue, lt(m.readUntil, catchUpTo)), lte(m.leaseUntil, now))) | catchUpTo === null -> false',
    why: 'Nothing is less than NULL.',
  },
  {
    text: 'worker/data/reconciliation/lost-attempts.ts: const BATCH_SIZE = 50; | 50 -> 51',
    why: 'All of them are written, in so many transactions or one less.',
  },
  {
    text: 'worker/data/reconciliation/gateway-transactions.ts: .where(and(eq(g.accountId, accountId), eq(g.method, method), isListed))), | isListed -> undefined',
    why: 'Of the rows that are read too many, those that were not asked for are left out by their ids.',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the product's line
    text: 'worker/data/reconciliation/gateway-transactions.ts: rawSql`${LINES} WHERE g.account_id = ${accountId} AND g.provider_txn_id IN (SELECT value FROM json_each(${ids}))`, | g.provider_txn_id IN (SELECT value FROM json_each(${ids})) -> 1',
    why: 'Of the rows that are read too many, each line takes its own by its id.',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the product's line
    text: 'worker/data/reconciliation/gateway-transactions.ts: rawSql`${LINES} WHERE g.account_id = ${accountId} AND g.provider_txn_id IN (SELECT value FROM json_each(${ids}))`, | AND -> OR',
    why: 'Of the rows that are read too many, each line takes its own by its id.',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the product's line
    text: 'worker/data/takings/day.ts: WHERE account_id = ${accountId} AND day IN (${day}, ${weekBefore})`; | day IN (${day}, ${weekBefore}) -> 1',
    why: 'Of the days that are read too many the sheet takes the two by their names.',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the product's line
    text: 'worker/data/takings/day.ts: AND i.paid_at BETWEEN ${Math.min(from, Date.parse(day))} AND ${Math.max(to, Date.parse(day))} | i.paid_at BETWEEN ${Math.min(from, Date.parse(day))} AND ${Math.max(to, Date.parse(day))} -> 1',
    why: 'The condition after it decides; this one lets the index be used.',
  },
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the product's line
    text: 'worker/data/takings/day.ts: ON c.account_id = t.account_id AND c.terminal_id = t.terminal_id AND c.ended_at BETWEEN ${from} AND ${to} | c.terminal_id = t.terminal_id -> 1',
    why: 'Every close is of a terminal of the account, and only the last one is read.',
  },
  {
    text: 'worker/domain/write-back/unrecorded.ts: const ends = (entry: RecordedEntry) => isWriting || (entry.since ?? 0) > now() - ON_ITS_WAY_MS; | 0 -> 1',
    why: 'A millisecond of 1970 is as long ago as its beginning.',
  },
  {
    text: 'worker/domain/write-back/write.ts: if (!settings?.isOn) return; | !settings?.isOn -> false',
    why: 'Only accounts that write are listed; it is for one that is switched off in the moment between.',
  },
  {
    text: "worker/domain/batches/close.ts: if (!close) return { kind: 'nothing-open' }; | !close -> false",
    why: 'A close that was claimed a moment ago is there.',
  },
  {
    text: "worker/domain/refunds/inquire.ts: const reversal = loaded.state === 'sent' ? await endWaiting(deps, loaded, attempt) : loaded; | loaded.state === 'sent' -> true",
    why: 'From any other state the move that it makes does nothing.',
  },
  {
    text: 'worker/domain/reconciliation/view-reconciliation.ts: lines.sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0)); | 1 -> 2',
    why: 'A sort asks for nothing but the sign.',
  },
  {
    text: 'worker/domain/reconciliation/view-reconciliation.ts: const effects = rows.flatMap(({ netAmountCents }) => (netAmountCents === null ? [] : [netAmountCents])); | netAmountCents === null -> false',
    why: 'The sums only take what is more or less than zero, and null is neither.',
  },
  {
    text: 'worker/data/reconciliation/gateway-transactions.ts: (SELECT max(named.invoice_id) FROM invoices named | max -> min',
    why: 'The id is only read where a single invoice bears the number, and of one id the largest is the smallest, too.',
  },
];
