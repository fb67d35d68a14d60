import { z } from 'zod';
import { parseCents } from '#shared/money';
import type { World } from '../world.ts';
import { openBatch } from './batches.ts';
import { CheckField, findOriginal } from './duplicates.ts';
import { amountText, isTrue, parseBody } from './sale.ts';
import type { Terminal } from './terminals/terminals.ts';
import {
  authorizationCode,
  findTransactions,
  insertTransaction,
  isInOpenBatch,
  refundedCents,
  seqOf,
  type Transaction,
} from './transactions.ts';
import { type Answer, approvedAnswer, GatewayProblem, newAnswer, validationProblem } from './wire.ts';

const FollowUpBody = z.object({
  type: z.string(),
  id: z.string().optional(),
  amount: amountText.optional(),
  invoice: z.string().max(100).default(''),
  'order-id': z.string().max(100).default(''),
  ...CheckField,
});

const refusal = (code: string, message: string) => new GatewayProblem(402, code, message);

/** Captures, voids or refunds an earlier transaction by its id. Sales need a token and have their own path. */
export function followUp(
  world: World,
  terminal: Terminal,
  body: unknown,
  pathType: string | undefined,
  arrivalSeq: number,
): Answer {
  const input = parseBody(FollowUpBody, typeof body === 'object' && body !== null ? { type: pathType, ...body } : body);
  const type = input.type.toUpperCase();
  if (type === 'SALE' || type === 'AUTH' || type === 'FORCED SALE') {
    throw validationProblem(
      'A card number is not taken here: send a mobile token to /rest/v2/mobile/transactions/sale',
    );
  }
  if (type !== 'CAPTURE' && type !== 'VOID' && type !== 'REFUND') throw validationProblem('type: unknown');
  if (!input.id) throw new GatewayProblem(400, '003', 'Transaction id is missing');
  return world.store.transaction(() => {
    const original = findTransactions(
      world,
      'seq = ? AND merchant_id = ?',
      seqOf(input.id ?? ''),
      terminal.merchant_id,
    )[0];
    if (original?.result !== 'APPROVED') throw refusal('027', 'Original transaction not found');
    const cents = type === 'VOID' ? original.amount_cents : (parseCents(input.amount) ?? original.amount_cents);
    const candidate = {
      type,
      amountCents: cents,
      lastFour: original.last_four,
      checkField: input['check-field'],
      arrivalSeq,
    } as const;
    const replay = findOriginal(world, terminal, {
      ...candidate,
      invoice: input.invoice,
      isMerchantWide: isTrue(input['check-field-mid']),
    });
    if (replay) return approvedAnswer(replay);
    checkFollowUp(world, type, original, cents);
    if (type === 'VOID') world.store.run('UPDATE transactions SET voided = 1 WHERE seq = ?', original.seq);
    if (type === 'CAPTURE') world.store.run('UPDATE transactions SET captured = 1 WHERE seq = ?', original.seq);
    const row = insertTransaction(world, {
      ...original,
      type,
      display_message: 'Transaction approved',
      amount_cents: cents,
      order_id: input['order-id'],
      invoice: input.invoice || original.invoice,
      batch_id: type === 'VOID' ? original.batch_id : openBatch(world, original.terminal_id, world.now()),
      ref_seq: original.seq,
      authorization_code: type === 'VOID' ? original.authorization_code : authorizationCode(original.seq + 1),
      created_ms: world.now(),
    });
    return newAnswer(row);
  });
}

function checkFollowUp(world: World, type: 'CAPTURE' | 'VOID' | 'REFUND', original: Transaction, cents: number) {
  if (original.voided) throw refusal('024', 'Transaction was already reversed');
  if (type === 'CAPTURE' && (original.type !== 'AUTH' || original.captured))
    throw refusal('027', 'No open authorization with this id');
  if (type === 'CAPTURE' && cents > original.amount_cents) throw refusal('014', 'Over the authorized amount');
  if (type === 'VOID') {
    if (original.type === 'VOID' || !isInOpenBatch(world, original))
      throw refusal('013', 'Transaction is not in an open batch');
    if (refundedCents(world, original) > 0) throw refusal('013', 'Transaction has been refunded');
  }
  if (type === 'REFUND') {
    if (original.type !== 'SALE' && original.type !== 'CAPTURE') throw refusal('027', 'Original transaction not found');
    if (cents === 0 || cents > original.amount_cents - refundedCents(world, original))
      throw refusal('025', 'Over the refundable amount');
  }
}
