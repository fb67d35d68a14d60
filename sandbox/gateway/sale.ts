import { z } from 'zod';
import { parseCents } from '#shared/money';
import type { World } from '../world.ts';
import { openBatch } from './batches.ts';
import { type CardToken, openToken, useToken } from './cards/card-tokens.ts';
import { type Candidate, CheckField, findDuplicate, findOriginal } from './duplicates.ts';
import { outcomeOf } from './outcomes.ts';
import type { Terminal } from './terminals/terminals.ts';
import { authorizationCode, insertTransaction, newestSeq } from './transactions.ts';
import { type Answer, approvedAnswer, GatewayProblem, newAnswer, validationProblem } from './wire.ts';

const textRecord = z.record(z.string(), z.string());

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
  billing: textRecord.optional(),
  shipping: textRecord.optional(),
  'signature-base-64-image': z.string().optional(),
  ...CheckField,
});

/** Fields that later responses return with the transaction. The signature image is not among them. */
const RETURNED_FIELDS = [
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
  const issue = parsed.error.issues[0];
  throw validationProblem(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`);
}

export const isTrue = (value: boolean | 'true' | 'false' | undefined) => value === true || value === 'true';

export type SaleInput = z.output<typeof SaleBody>;
export type PresentedCard = Pick<CardToken, 'last_four' | 'card_type' | 'exp_date' | 'behaviour'>;

export function centsOf(input: SaleInput): number {
  const cents = parseCents(input.amount) ?? 0;
  if (cents === 0) throw validationProblem('amount: must be more than zero');
  return cents;
}

export const candidateOf = (input: SaleInput, lastFour: string, arrivalSeq: number): Candidate => ({
  type: input.type,
  amountCents: centsOf(input),
  invoice: input.invoice,
  lastFour,
  checkField: input['check-field'],
  isMerchantWide: isTrue(input['check-field-mid']),
  arrivalSeq,
});

/** Charges or authorizes a card by its token. Synchronous, so dedupe mode `commit` covers concurrent calls too. */
export function chargeToken(
  world: World,
  terminal: Terminal,
  jwt: string | undefined,
  body: unknown,
  arrivalSeq: number,
): Answer {
  const input = parseBody(SaleBody, body);
  centsOf(input);
  return world.store.transaction(() => {
    const token = openToken(world, jwt, 'card', terminal.merchant_id);
    const entryMethod = token.isWallet ? 'WALLET' : 'MANUAL';
    const answer = chargeCard(world, terminal, input, { ...token, entryMethod }, arrivalSeq);
    const isReusable =
      token.isWallet && answer.status === 402 && world.settings(terminal.hub_id).wallet_declines === 'kept';
    if (!isReusable) useToken(world, token);
    return answer;
  });
}

/** Results of the address and security-code checks. A wallet has no security code; a chip is not checked. */
const CHECK_RESULTS = {
  MANUAL: { 'avs-result-code': 'Y', 'csc-result-code': 'M' },
  WALLET: { 'avs-result-code': 'Y' },
  CHIP: {},
};

/** Charges a card, or returns an earlier transaction that it duplicates. Refusals throw and are not recorded. */
export function chargeCard(
  world: World,
  terminal: Terminal,
  input: SaleInput,
  card: PresentedCard & { entryMethod: 'MANUAL' | 'WALLET' | 'CHIP' },
  arrivalSeq: number,
): Answer {
  const candidate = candidateOf(input, card.last_four, arrivalSeq);
  const original = findOriginal(world, terminal, candidate) ?? findDuplicate(world, terminal, candidate);
  if (original) return approvedAnswer(original);
  const outcome = outcomeOf(candidate.amountCents, card.behaviour);
  if (outcome.kind === 'refused') throw new GatewayProblem(outcome.status, outcome.code, outcome.message);
  const isApproved = outcome.kind === 'approved';
  const extra = RETURNED_FIELDS.filter((name) => input[name] !== undefined).map((name) => [name, input[name]] as const);
  const row = insertTransaction(world, {
    terminal_id: terminal.terminal_id,
    merchant_id: terminal.merchant_id,
    kind: 'card',
    type: input.type,
    result: isApproved ? 'APPROVED' : 'DECLINED',
    result_code: isApproved ? '000' : outcome.code,
    display_message: isApproved ? 'Transaction approved' : outcome.message,
    amount_cents: candidate.amountCents,
    order_id: input['order-id'],
    invoice: input.invoice,
    batch_id: isApproved ? openBatch(world, terminal.terminal_id, world.now()) : null,
    ref_seq: null,
    authorization_code: isApproved ? authorizationCode(newestSeq(world) + 1) : '',
    last_four: card.last_four,
    card_type: card.card_type,
    exp_date: card.exp_date,
    return_code: null,
    created_ms: world.now(),
    extra: JSON.stringify({
      ...Object.fromEntries(extra),
      'entry-method': card.entryMethod,
      ...CHECK_RESULTS[card.entryMethod],
    }),
  });
  return newAnswer(row);
}
