import { createHash } from 'node:crypto';
import { parseCents } from '#shared/money';
import { hubs } from '../credentials.ts';
import { CONTACT, INVOICE } from '../crm/object-types.ts';
import { findRecord, linksOf, type Properties, type StoredRecord } from '../crm/records.ts';
import { listTerminals, type Terminal } from '../gateway/terminals/terminals.ts';
import { authorizationCode, insertTransaction, type Transaction } from '../gateway/transactions.ts';
import type { World } from '../world.ts';

const DAY = 86_400_000;
const CARDS = [
  ['VISA', '1111'],
  ['MASTERCARD', '4444'],
  ['AMEX', '0005'],
  ['DISCOVER', '1117'],
] as const;

/** Initial batches of a counter terminal, with age in days and number of sales. */
const HISTORY = [
  { daysAgo: 6, sales: 5, isClosed: true },
  { daysAgo: 3, sales: 4, isClosed: true },
  { daysAgo: 0.4, sales: 3, isClosed: false },
];

/** Adds two closed batches and an open one per counter terminal, each with a refund and sales of paid CRM invoices. */
export function seedGateway(world: World) {
  const { hubId } = hubs[0];
  const paidInvoices = world.store.all<StoredRecord>(
    "SELECT id, properties, created_ms, updated_ms, archived_ms FROM records WHERE hub_id = ? AND type = ? AND json_extract(properties, '$.hs_invoice_status') = 'paid' ORDER BY id DESC",
    hubId,
    INVOICE,
  );
  let saleCount = 0;
  for (const batch of HISTORY) {
    for (const terminal of listTerminals(world).filter((candidate) => candidate.channel === 'counter')) {
      const openedMs = world.now() - batch.daysAgo * DAY;
      const batchId = insertBatch(world, terminal.terminal_id, openedMs, batch.isClosed);
      const sales: Transaction[] = [];
      for (let index = 0; index < batch.sales; index++) {
        const invoice = paidInvoices[saleCount];
        if (invoice)
          sales.push(insertSale(world, terminal, hubId, invoice, batchId, openedMs + index * 1_500_000, saleCount));
        saleCount += 1;
      }
      const [firstSale] = sales;
      if (firstSale) insertRefund(world, firstSale, openedMs + batch.sales * 1_500_000);
    }
  }
}

/** Deletes an account's batches and charges, for callers that seed their own. */
export function deleteCharges(world: World, hubId: number) {
  const where = 'terminal_id IN (SELECT terminal_id FROM terminals WHERE hub_id = ?)';
  world.store.transaction(() => {
    for (const table of ['transactions', 'batches']) world.store.run(`DELETE FROM ${table} WHERE ${where}`, hubId);
  });
}

/** Refunds part of the first sale before the batch ends. */
function insertRefund(world: World, sale: Transaction, atMs: number) {
  insertTransaction(world, {
    ...sale,
    type: 'REFUND',
    amount_cents: Math.ceil(sale.amount_cents / 4),
    order_id: createHash('sha256').update(`refund ${sale.order_id}`).digest('hex').slice(0, 32),
    ref_seq: sale.seq,
    authorization_code: authorizationCode(sale.seq + 1),
    created_ms: Math.round(atMs),
  });
}

function insertBatch(world: World, terminalId: string, openedMs: number, isClosed: boolean): number {
  const { lastInsertRowid } = world.store.run(
    'INSERT INTO batches (terminal_id, status, opened_ms, settled_ms, confirmation_code) VALUES (?, ?, ?, ?, ?)',
    terminalId,
    isClosed ? 'CLOSED' : 'OPEN',
    Math.round(openedMs),
    isClosed ? Math.round(openedMs + 9 * 3_600_000) : null,
    isClosed ? `CONF${terminalId}${Math.round(openedMs / DAY)}` : null,
  );
  return Number(lastInsertRowid);
}

function insertSale(
  world: World,
  terminal: Terminal,
  hubId: number,
  record: StoredRecord,
  batchId: number,
  atMs: number,
  index: number,
): Transaction {
  const invoice: Properties = JSON.parse(record.properties);
  const contactId = linksOf(world, hubId, INVOICE, record.id, CONTACT, 0, 1)[0]?.to_id;
  const contact: Properties = JSON.parse(findRecord(world, hubId, CONTACT, String(contactId))?.properties ?? '{}');
  const [brand, lastFour] = CARDS[index % CARDS.length] ?? CARDS[0];
  return insertTransaction(world, {
    terminal_id: terminal.terminal_id,
    merchant_id: terminal.merchant_id,
    kind: 'card',
    type: 'SALE',
    result: 'APPROVED',
    result_code: '000',
    display_message: 'Transaction approved',
    amount_cents: parseCents(invoice.hs_amount_billed) ?? 0,
    order_id: createHash('sha256').update(`seed ${record.id}`).digest('hex').slice(0, 32),
    invoice: `${invoice.hs_number}-0`,
    batch_id: batchId,
    ref_seq: null,
    authorization_code: authorizationCode(record.id),
    last_four: lastFour,
    card_type: brand,
    exp_date: '1229',
    return_code: null,
    created_ms: Math.round(atMs),
    extra: JSON.stringify({
      billing: { 'first-name': contact.firstname, 'last-name': contact.lastname },
      'entry-method': 'CHIP',
    }),
  });
}
