import { z } from 'zod';
import { parseCents } from '#shared/money';
import type { World } from '../world.ts';
import { openToken, useToken } from './card-tokens.ts';
import { CheckField, findDuplicate, findOriginal } from './duplicates.ts';
import { errorOf, exchangeId, GatewayProblem, success, validation } from './envelope.ts';
import { outcomeOf } from './outcomes.ts';
import type { Terminal } from './terminals.ts';
import {
  authorizationCode,
  idOf,
  insertTransaction,
  newestSeq,
  openBatch,
  renderAnswer,
  type Transaction,
} from './transactions.ts';

const texts = z.record(z.string(), z.string());

export const amountText = z.string().regex(/^\d{1,9}\.\d{2}$/, { error: 'must be decimal text with two decimals' });

export const SaleBody = z.object({
  type: z.enum(['SALE', 'AUTH']),
  amount: amountText,
  'software-type': z.string().min(1),
  'software-type-version': z.string().min(1),
  invoice: z.string().max(100).default(''),
  'order-id': z.string().max(100).default(''),
  'purchase-order': z.string().optional(),
  description: z.string().optional(),
  comments: z.string().optional(),
  'customer-id': z.string().optional(),
  'email-address': z.string().optional(),
  'client-ip': z.string().optional(),
  billing: texts.optional(),
  shipping: texts.optional(),
  'signature-base-64-image': z.string().optional(),
  ...CheckField,
});

/** What comes back with the transaction later; the signature image does not. */
const KEPT = [
  'purchase-order',
  'description',
  'comments',
  'customer-id',
  'email-address',
  'billing',
  'shipping',
  'software-type',
] as const;

export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  throw validation(`${first?.path.join('.') || 'body'}: ${first?.message ?? 'invalid'}`);
}

export const isYes = (value: boolean | 'true' | 'false' | undefined) => value === true || value === 'true';

/** A jwt sale or authorisation; from here on everything happens at one moment, so `commit` sees calls in flight too. */
export function chargeCard(
  world: World,
  terminal: Terminal,
  jwt: string | undefined,
  body: unknown,
  arrivalSeq: number,
) {
  const input = parseBody(SaleBody, body);
  const cents = parseCents(input.amount) ?? 0;
  if (cents === 0) throw validation('amount: must be more than zero');
  return world.store.transaction(() => {
    const token = openToken(world, jwt, 'card', terminal.merchant_id);
    const wanted = {
      type: input.type,
      amountCents: cents,
      invoice: input.invoice,
      lastFour: token.last_four,
      checkField: input['check-field'],
      wholeMerchant: isYes(input['check-field-mid']),
      arrivalSeq,
    };
    const original = findOriginal(world, terminal, wanted) ?? findDuplicate(world, terminal, wanted);
    if (original) {
      useToken(world, token);
      return approvedAnswer(original);
    }
    const outcome = outcomeOf(cents, token.behaviour);
    if (outcome.kind === 'refused') throw new GatewayProblem(outcome.status, outcome.code, outcome.message);
    useToken(world, token);
    const isApproved = outcome.kind === 'approved';
    const row = insertTransaction(world, {
      terminal_id: terminal.terminal_id,
      merchant_id: terminal.merchant_id,
      kind: 'card',
      type: input.type,
      result: isApproved ? 'APPROVED' : 'DECLINED',
      result_code: isApproved ? '000' : outcome.code,
      display_message: isApproved ? 'Transaction approved' : outcome.message,
      amount_cents: cents,
      order_id: input['order-id'],
      invoice: input.invoice,
      batch_id: isApproved ? openBatch(world, terminal.terminal_id, world.now()) : null,
      ref_seq: null,
      authorization_code: isApproved ? authorizationCode(newestSeq(world) + 1) : '',
      last_four: token.last_four,
      card_type: token.card_type,
      exp_date: token.exp_date,
      return_code: null,
      created_ms: world.now(),
      extra: JSON.stringify(
        Object.fromEntries(KEPT.filter((name) => input[name] !== undefined).map((name) => [name, input[name]])),
      ),
    });
    return isApproved ? approvedAnswer(row) : declinedAnswer(row);
  });
}

type Answer = { status: 200 | 402; body: Record<string, unknown> };

export function approvedAnswer(row: Transaction): Answer {
  const id = idOf(row.seq);
  const links = [{ rel: 'transaction', href: `/rest/v2/transactions?id=${id}`, id }];
  return {
    status: 200,
    body: success('transaction', { payloadType: 'transaction', transaction: renderAnswer(row) }, { links }),
  };
}

/** A decline carries both members; their result codes need not agree (the vendor's sample has 018 and 073). */
export function declinedAnswer(row: Transaction): Answer {
  return {
    status: 402,
    body: {
      code: '402',
      status: 'fail',
      'exchange-id': exchangeId('transaction'),
      links: [{ rel: 'transaction', href: `/rest/v2/transactions?id=${idOf(row.seq)}`, id: idOf(row.seq) }],
      payload: { payloadType: 'error', transaction: renderAnswer(row), error: errorOf('073', row.display_message) },
    },
  };
}
