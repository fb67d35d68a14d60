import type { VendorStep, WireAnswer } from '../vendor.ts';
import { startDebit } from './ach.ts';
import { type Decline, declineOf } from './amounts.ts';
import { batchFor } from './batches.ts';
import { type GatewayCall, textOf } from './calls.ts';
import { answerCharge } from './charge-answers.ts';
import { answerRepeated, type ChargeRequest, duplicateError, findRepeated, scopeOf } from './dedupe.ts';
import type { Fault } from './faults.ts';
import type { Books, Entry } from './gateway-records.ts';
import type { ReaderPlan, Readers } from './readers.ts';
import { isAnswer, refuseToken, type Token, type Tokens } from './tokens.ts';
import type { InFlight } from './truth.ts';
import { notifyTransaction } from './webhooks.ts';
import { centsOf, failure } from './wire.ts';

export type ChargeCall = GatewayCall & { call: 'sale' | 'terminal-sale' | 'ach-sale' };
type Parts = { books: Books; tokens: Tokens; readers: Readers };
type Means = { token: Token | null; plan: ReaderPlan | null };

const METHODS = { sale: 'card', 'terminal-sale': 'terminal', 'ach-sale': 'ach' } as const;

/**
 * G10, G15: a charge arrives and takes effect later, even if its sender no longer waits. Refusals on arrival (G4, G8,
 * G17) record nothing.
 */
export function arriveCharge(parts: Parts, call: ChargeCall, fault: Fault | null): WireAnswer | VendorStep {
  const { books, tokens, readers } = parts;
  const request = readRequest(books, call);
  if (isAnswer(request)) return request;
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
    request.lastFour = token.lastFour;
  }
  const earlier = books.knobs.dedupe === 'arrival' ? findRepeated(books, request) : null;
  if (earlier) return answerRepeated(books, request, earlier);
  if (means.token && books.knobs.tokenUsedAt === 'arrival') means.token.isUsed = true;

  const now = books.world.now();
  const usualMs = (means.plan?.afterMs ?? 0) + books.draw(books.knobs.processMs);
  const afterMs = fault === 'late' ? usualMs + books.draw(books.knobs.lateMs) : usualMs;
  const { orderId, invoice, cents } = request;
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
      return commitCharge(parts, request, means, fault);
    },
  };
}

/** G4, G11, G12: reads the required and optional fields of a charge. */
function readRequest(books: Books, call: ChargeCall): ChargeRequest | WireAnswer {
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
    billing: typeof billing === 'object' && billing !== null ? textFields(billing) : null,
    holder: textOf(body, 'individual-name'),
    dedupe: scopeOf(body),
  };
}

const textFields = (value: object): Record<string, string> =>
  Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

function commitCharge(parts: Parts, request: ChargeRequest, means: Means, fault: Fault | null): WireAnswer {
  const { books, readers } = parts;
  const { token, plan } = means;
  const isCutOff = plan?.act === 'tap' && readers.isOffline(request.terminalId);
  const hasGivenUp = plan?.act === 'timed-out' && books.knobs.readerGivesUpAs === 402;
  if (hasGivenUp) return refuse(books, 402, '031', 'Transaction timed out');
  if (plan?.act === 'timed-out' || isCutOff) return refuse(books, 500, '049', 'No response from the terminal');
  if (plan?.act === 'cancel') return refuse(books, 402, '031', 'Transaction cancelled');

  if (token && books.knobs.tokenUsedAt === 'commit') {
    if (token.isUsed) return refuseToken(books, 'token-used');
    token.isUsed = true;
  }
  if (token?.card === 'fails') return refuse(books, 500, '050', 'Internal server error');
  const earlier = books.knobs.dedupe === 'commit' ? findRepeated(books, request) : null;
  if (earlier) return answerRepeated(books, request, earlier);

  const decline = declineOf(request.cents, fault, token?.card === 'declines' || plan?.act === 'decline');
  if (decline?.isBadRequest) return refuse(books, 400, decline.code, decline.message);
  if (decline) {
    if (token && !books.knobs.declineUsesToken) token.isUsed = false;
    return answerCharge(books, recordCharge(books, request, fault, decline, null));
  }
  const entry = recordCharge(books, request, fault, null, null);
  if (fault === 'charged-twice') recordCharge(books, request, fault, null, entry.id);
  return answerCharge(books, entry);
}

function recordCharge(
  books: Books,
  request: ChargeRequest,
  fault: Fault | null,
  decline: Decline | null,
  copyOf: string | null,
): Entry {
  const isDebit = request.method === 'ach';
  const id = books.nextId();
  const batch = decline || isDebit ? null : batchFor(books, request.merchantId, request.terminalId);
  // A partial approval or a surcharge, never the requested amount.
  const wrongCents = Math.max(1, request.cents + (books.world.random() < 0.5 ? -100 : 100));
  const entry: Entry = {
    id,
    type: isDebit ? 'DEBIT' : 'SALE',
    method: request.method,
    isApproved: !decline,
    ach: isDebit && !decline ? 'Pending' : null,
    isVoided: false,
    parentId: null,
    copyOf,
    by: 'product',
    merchantId: request.merchantId,
    terminalId: request.terminalId,
    orderId: request.orderId,
    invoice: request.invoice,
    requestedCents: request.cents,
    amountCents: fault === 'wrong-amount-charged' ? wrongCents : request.cents,
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
    lastFour: request.lastFour,
    billing: request.billing,
    holder: request.holder,
  };
  books.record(entry);
  notifyTransaction(books, entry, fault);
  if (entry.ach) startDebit(books, entry, fault);
  return entry;
}

function refuse(books: Books, status: number, code: string, message: string): WireAnswer {
  return failure(books.nextExchange(), books.world.now(), { status, code, message });
}
