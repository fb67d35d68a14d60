import type { VendorStep, WireAnswer } from '../vendor.ts';
import { startDebit } from './ach.ts';
import { type Decline, declineOf } from './amounts.ts';
import { batchFor } from './batches.ts';
import type { Books, Entry } from './books.ts';
import { type GatewayCall, textOf } from './calls.ts';
import { answerCharge } from './charge-answers.ts';
import { type Asked, answerRepeated, duplicateError, repeated, scopeOf } from './dedupe.ts';
import type { Fault } from './faults.ts';
import type { ReaderPlan, Readers } from './readers.ts';
import { isAnswer, refuseToken, type Token, type Tokens } from './tokens.ts';
import type { InFlight } from './truth.ts';
import { tellTransaction } from './webhooks.ts';
import { centsOf, failure } from './wire.ts';

export type ChargeCall = GatewayCall & { call: 'sale' | 'terminal-sale' | 'ach-sale' };
type Parts = { books: Books; tokens: Tokens; readers: Readers };
type Means = { token: Token | null; plan: ReaderPlan | null };

const METHODS = { sale: 'card', 'terminal-sale': 'terminal', 'ach-sale': 'ach' } as const;

/**
 * G10, G15: a charge arrives, and takes effect later whether or not its sender still listens. Refusals at the door
 * (G4, G8, G17) leave nothing behind.
 */
export function arriveCharge(parts: Parts, call: ChargeCall, fault: Fault | null): WireAnswer | VendorStep {
  const { books, tokens, readers } = parts;
  const asked = requestedBy(books, call);
  if (isAnswer(asked)) return asked;
  if (fault === 'duplicate-error') return duplicateError(books);

  const means: Means = { token: null, plan: null };
  if (call.call === 'terminal-sale') {
    const plan = readers.wake(call.terminal.terminalId, fault);
    if (plan === 'offline' || plan === 'busy') return refuse(books, 400, '001', `Terminal ${plan}`);
    means.plan = plan;
  } else {
    if (fault === 'token-refused' || fault === 'token-expired' || fault === 'token-used')
      return refuseToken(books, fault);
    const token = tokens.check(call);
    if (isAnswer(token)) return token;
    means.token = token;
    asked.lastFour = token.lastFour;
  }
  const earlier = books.knobs.dedupe === 'arrival' ? repeated(books, asked) : null;
  if (earlier) return answerRepeated(books, asked, earlier);
  if (means.token && books.knobs.tokenUsedAt === 'arrival') means.token.isUsed = true;

  const now = books.world.now();
  const ownMs = (means.plan?.afterMs ?? 0) + books.draw(books.knobs.processMs);
  const afterMs = fault === 'late' ? ownMs + books.draw(books.knobs.lateMs) : ownMs;
  const { orderId, invoice, cents } = asked;
  const flight: InFlight = {
    call: call.call,
    terminalId: call.terminal.terminalId,
    orderId,
    invoice,
    amountCents: cents,
    arrivedAt: now,
    commitsAt: now + afterMs,
  };
  books.inFlight.add(flight);
  return {
    afterMs,
    run() {
      books.inFlight.delete(flight);
      return commitCharge(parts, asked, means, fault);
    },
  };
}

/** G4, G11, G12: what a charge must and may say. */
function requestedBy(books: Books, call: ChargeCall): Asked | WireAnswer {
  const { body, terminal, merchant } = call;
  const cents = centsOf(body.amount);
  if (cents === null || cents === 0) return refuse(books, 400, '041', 'The amount is not valid');
  const type = call.call === 'ach-sale' ? 'DEBIT' : 'SALE';
  if (body.type !== type) return refuse(books, 400, '041', `The type must be ${type}`);
  if (!textOf(body, 'software-type') || (call.call !== 'terminal-sale' && !textOf(body, 'software-type-version'))) {
    return refuse(books, 400, '041', 'The software type is missing');
  }
  const invoice = textOf(body, 'invoice');
  if (invoice && invoice.length > 100) return refuse(books, 400, '041', 'The invoice is too long');
  const billing = body.billing;
  return {
    type,
    merchantId: merchant.merchantId,
    terminalId: terminal.terminalId,
    method: METHODS[call.call],
    cents,
    invoice,
    orderId: textOf(body, 'order-id'),
    lastFour: '1111',
    billing: typeof billing === 'object' && billing !== null ? textsOf(billing) : null,
    holder: textOf(body, 'individual-name'),
    dedupe: scopeOf(body),
  };
}

const textsOf = (value: object): Record<string, string> =>
  Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

function commitCharge({ books, readers }: Parts, asked: Asked, means: Means, fault: Fault | null): WireAnswer {
  const { token, plan } = means;
  const isCutOff = plan?.act === 'tap' && readers.isOffline(asked.terminalId);
  const hasGivenUp = plan?.act === 'timed-out' && books.knobs.readerGivesUpAs === 402;
  if (hasGivenUp) return refuse(books, 402, '031', 'Transaction timed out');
  if (plan?.act === 'timed-out' || isCutOff) return refuse(books, 500, '049', 'No response from the terminal');
  if (plan?.act === 'cancel') return refuse(books, 402, '031', 'Transaction cancelled');

  if (token && books.knobs.tokenUsedAt === 'commit') {
    if (token.isUsed) return refuseToken(books, 'token-used');
    token.isUsed = true;
  }
  if (token?.card === 'fails') return refuse(books, 500, '050', 'Internal server error');
  const earlier = books.knobs.dedupe === 'commit' ? repeated(books, asked) : null;
  if (earlier) return answerRepeated(books, asked, earlier);

  const decline = declineOf(asked.cents, fault, token?.card === 'declines' || plan?.act === 'decline');
  if (decline?.isBadRequest) return refuse(books, 400, decline.code, decline.message);
  if (decline) {
    if (token && !books.knobs.declineUsesToken) token.isUsed = false;
    return answerCharge(books, record(books, asked, fault, decline, null));
  }
  const entry = record(books, asked, fault, null, null);
  if (fault === 'charged-twice') record(books, asked, fault, null, entry.id);
  return answerCharge(books, entry);
}

function record(
  books: Books,
  asked: Asked,
  fault: Fault | null,
  decline: Decline | null,
  copyOf: string | null,
): Entry {
  const isDebit = asked.method === 'ach';
  const id = books.nextId();
  const batch = decline || isDebit ? null : batchFor(books, asked.merchantId, asked.terminalId);
  // A partial approval, or a surcharge: never the amount that was asked for.
  const strangeCents = Math.max(1, asked.cents + (books.world.random() < 0.5 ? -100 : 100));
  const entry: Entry = {
    id,
    type: isDebit ? 'DEBIT' : 'SALE',
    method: asked.method,
    isApproved: !decline,
    ach: isDebit && !decline ? 'Pending' : null,
    isVoided: false,
    parentId: null,
    copyOf,
    by: 'product',
    merchantId: asked.merchantId,
    terminalId: asked.terminalId,
    orderId: asked.orderId,
    invoice: asked.invoice,
    askedCents: asked.cents,
    amountCents: fault === 'wrong-amount-charged' ? strangeCents : asked.cents,
    refundedCents: 0,
    batchId: batch?.id ?? null,
    at: books.world.now(),
    settledAt: null,
    returnedAt: null,
    changedAt: books.world.now(),
    returnCode: null,
    resultCode: decline?.code ?? '000',
    message: decline?.message ?? 'Transaction approved',
    authorizationCode: decline ? null : `TAS${id.slice(-3)}`,
    lastFour: asked.lastFour,
    billing: asked.billing,
    holder: asked.holder,
  };
  books.record(entry);
  tellTransaction(books, entry, fault);
  if (entry.ach) startDebit(books, entry, fault);
  return entry;
}

function refuse(books: Books, status: number, code: string, message: string): WireAnswer {
  return failure(books.nextExchange(), books.world.now(), { status, code, message });
}
