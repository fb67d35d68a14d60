import type { Context } from 'hono';
import { z } from 'zod';
import { decimalFromCents, parseCents } from '#shared/money';
import type { SandboxEnv, World } from '../world.ts';
import { openToken, useToken } from './cards/card-tokens.ts';
import { CheckField, findOriginal } from './duplicates.ts';
import { lookUp } from './look-up.ts';
import { returnMessage } from './outcomes.ts';
import { amountText, isTrue, parseBody } from './sale.ts';
import { findTerminal, type Terminal } from './terminals/terminals.ts';
import { findTransactions, gatewayTime, idOf, insertTransaction, omitEmpty, type Transaction } from './transactions.ts';
import { type Answer, errorOf, exchangeId, success, validationProblem } from './wire.ts';

export type AchStatus = 'Pending' | 'Settling' | 'Settled' | 'Returned' | 'Declined';
export type AchStatusChange = {
  row: Transaction;
  from: AchStatus;
  to: AchStatus;
  atMs: number;
  returnCode: string | null;
};
type MoveRow = { status: 'Settling' | 'Settled' | 'Returned'; at_ms: number; return_code: string | null };

const HOUR_MS = 3_600_000;
const SETTLED_AFTER_MS = 48 * HOUR_MS;

/** Returns the debit's status, the time (UTC ms) at which that status began, and the return code. */
export function debitStatus(
  world: World,
  row: Transaction,
): { status: AchStatus; atMs: number; returnCode: string | null } {
  if (row.result === 'DECLINED') return { status: 'Declined', atMs: row.created_ms, returnCode: null };
  const move = world.store.get<MoveRow>('SELECT status, at_ms, return_code FROM ach_moves WHERE seq = ?', row.seq);
  if (!move) return { status: 'Pending', atMs: row.created_ms, returnCode: null };
  return { status: move.status, atMs: move.at_ms, returnCode: move.return_code };
}

export function changeAchStatus(
  world: World,
  row: Transaction,
  to: MoveRow['status'],
  atMs: number,
  returnCode: string | null = null,
): AchStatusChange {
  const from = debitStatus(world, row).status;
  world.store.run(
    'INSERT OR REPLACE INTO ach_moves (seq, status, at_ms, return_code) VALUES (?, ?, ?, ?)',
    row.seq,
    to,
    atMs,
    returnCode,
  );
  return { row, from, to, atMs, returnCode };
}

const findDueDebits = (world: World, status: string, afterMs: number) =>
  findTransactions(
    world,
    `kind = 'ach' AND result = 'APPROVED' AND created_ms <= ?
       AND (SELECT status FROM ach_moves WHERE ach_moves.seq = transactions.seq) IS ${status} ORDER BY seq`,
    world.now() - afterMs,
  );

/**
 * Advances debits on the sandbox's clock and returns the status changes. A debit is pending for an hour, settling for
 * two days, and then settled or returned. We chose these durations.
 */
export function advanceDebits(world: World): AchStatusChange[] {
  return world.store.transaction(() => {
    const settlingMoves = findDueDebits(world, 'NULL', HOUR_MS).map((row) =>
      changeAchStatus(world, row, 'Settling', row.created_ms + HOUR_MS),
    );
    const finalMoves = findDueDebits(world, "'Settling'", SETTLED_AFTER_MS).map((row) =>
      changeAchStatus(
        world,
        row,
        row.return_code === null ? 'Settled' : 'Returned',
        row.created_ms + SETTLED_AFTER_MS,
        row.return_code,
      ),
    );
    return [...settlingMoves, ...finalMoves];
  });
}

const DebitBody = z.object({
  type: z.literal('DEBIT'),
  amount: amountText,
  'individual-name': z.string().trim().min(1),
  'account-type': z.enum(['Checking', 'Savings']).optional(),
  'standard-entry-class-code': z.enum(['WEB', 'PPD', 'CCD', 'TEL']).optional(),
  invoice: z.string().max(100).default(''),
  'order-id': z.string().max(100).default(''),
  'software-type': z.string().optional(),
  'software-type-version': z.string().optional(),
  billing: z.record(z.string(), z.string()).optional(),
  ...CheckField,
});

function renderDebit(world: World, row: Transaction) {
  const { status, atMs, returnCode } = debitStatus(world, row);
  const extra: Record<string, string | undefined> = JSON.parse(row.extra);
  return omitEmpty({
    id: idOf(row.seq),
    type: row.type,
    amount: decimalFromCents(row.amount_cents),
    status,
    result: row.result,
    'result-code': row.result_code,
    'display-message': row.display_message,
    'individual-name': extra['individual-name'],
    'account-type': extra['account-type'],
    'standard-entry-class-code': extra['standard-entry-class-code'],
    'account-number': `XXXXXX${row.last_four}`,
    'last-four': row.last_four,
    invoice: row.invoice,
    'order-id': row.order_id,
    'terminal-id': row.terminal_id,
    'merchant-id': row.merchant_id,
    created: gatewayTime(row.created_ms),
    'provider-transaction-id': `P${idOf(row.seq)}`,
    'trace-number': `0630${idOf(row.seq)}`,
    'status-change-date': gatewayTime(atMs),
    'settled-date': status === 'Settled' ? gatewayTime(atMs) : null,
    'returned-date': status === 'Returned' ? gatewayTime(atMs) : null,
    'returned-code': returnCode,
    'returned-message': returnCode === null ? null : returnMessage(returnCode),
  });
}

/** Accepts or declines a bank debit. An accepted debit is pending, not paid. */
export function debit(
  world: World,
  terminal: Terminal,
  jwt: string | undefined,
  body: unknown,
  arrivalSeq: number,
): Answer {
  const input = parseBody(DebitBody, body);
  const cents = parseCents(input.amount) ?? 0;
  if (cents === 0) throw validationProblem('amount: must be more than zero');
  return world.store.transaction(() => {
    const token = openToken(world, jwt, 'ach', terminal.merchant_id);
    const original = findOriginal(world, terminal, {
      type: 'DEBIT',
      amountCents: cents,
      invoice: input.invoice,
      lastFour: token.last_four,
      checkField: input['check-field'],
      isMerchantWide: isTrue(input['check-field-mid']),
      arrivalSeq,
    });
    useToken(world, token);
    if (original) return achAnswer(world, original);
    const isAccepted = cents >= 100;
    const row = insertTransaction(world, {
      terminal_id: terminal.terminal_id,
      merchant_id: terminal.merchant_id,
      kind: 'ach',
      type: 'DEBIT',
      result: isAccepted ? 'APPROVED' : 'DECLINED',
      result_code: isAccepted ? '000' : '023',
      display_message: isAccepted ? 'Transaction accepted' : 'Declined',
      amount_cents: cents,
      order_id: input['order-id'],
      invoice: input.invoice,
      batch_id: null,
      ref_seq: null,
      authorization_code: '',
      last_four: token.last_four,
      card_type: 'ACH',
      exp_date: '',
      return_code: token.behaviour.startsWith('R') ? token.behaviour : null,
      created_ms: world.now(),
      extra: JSON.stringify({
        'individual-name': input['individual-name'],
        'account-type': input['account-type'],
        'standard-entry-class-code': input['standard-entry-class-code'],
        billing: input.billing,
      }),
    });
    return { ...achAnswer(world, row), recordedTransaction: row };
  });
}

/** Fields that exist only in the sale's envelope. */
const SALE_ONLY_FIELDS = ['result', 'result-code', 'display-message', 'last-four'];

/**
 * The vendor's webhooks report a debit in the sale's envelope. Its API reference shows a different member, with fewer
 * fields and only four digits of the account number.
 */
function payloadOf(world: World, row: Transaction): Record<string, unknown> {
  const transaction = renderDebit(world, row);
  const account = findTerminal(world, row.terminal_id)?.hub_id;
  if (world.settings(account).ach_replies === 'transaction') return { transaction };
  const fields = Object.fromEntries(Object.entries(transaction).filter(([name]) => !SALE_ONLY_FIELDS.includes(name)));
  return { 'ach-transaction': { ...fields, 'account-number': row.last_four } };
}

export function achAnswer(world: World, row: Transaction): Answer {
  const member = payloadOf(world, row);
  if (row.result === 'APPROVED') {
    const payload = { payloadType: Object.keys(member)[0], ...member };
    return { status: 200, body: success('ach-transaction', payload), transaction: row };
  }
  const payload = { payloadType: 'error', ...member, error: errorOf('073', row.display_message) };
  const body = { code: '402', status: 'fail', 'exchange-id': exchangeId('ach-transaction'), payload };
  return { status: 402, body, transaction: row };
}

export function achTransactions(world: World, c: Context<SandboxEnv>, terminal: Terminal) {
  const page = lookUp(world, c, terminal, 'ach');
  if (!page) return null;
  const rows = page.rows.map((row) => renderDebit(world, row));
  return success(
    'ach-transaction',
    { payloadType: 'ach-transactions', 'ach-transactions': { 'ach-transaction': rows } },
    { page: page.paging },
  );
}
