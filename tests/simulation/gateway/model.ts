import type { VendorStep, VendorWorld, WireAnswer } from '../vendor.ts';
import { answerBatches, answerOpenBatch, arriveClose } from './batch-calls.ts';
import { applyFault, refusalFor } from './bend.ts';
import { byHandAt } from './by-hand.ts';
import { type GatewayCall, readCall } from './calls.ts';
import { arriveCharge } from './charge.ts';
import { createFaults, type Fault, faultsOf } from './faults.ts';
import { type Books, createBooks } from './gateway-records.ts';
import { defaultKnobs } from './knobs.ts';
import { readTruth } from './read-truth.ts';
import { createReaders, type Readers } from './readers.ts';
import { arriveReversal } from './reversals.ts';
import { answerSearch } from './search.ts';
import { createTokens, isAnswer, type Tokens } from './tokens.ts';
import type { GatewayModel, GatewaySetUp } from './truth.ts';
import { success } from './wire.ts';

/** The gateway of docs/gateway-rules.md, in memory. It uses only the world's clock and random numbers. */
export function createGatewayModel(world: VendorWorld, setUp: GatewaySetUp): GatewayModel {
  const knobs = defaultKnobs();
  const books = createBooks(world, knobs, structuredClone(setUp.merchants));
  const tokens = createTokens(books);
  const readers = createReaders(books);
  const faults = createFaults(world.now, (call) => {
    if (knobs.faultShare === 0 || world.random() >= knobs.faultShare) return null;
    const callFaults = faultsOf(call);
    return callFaults[Math.floor(world.random() * callFaults.length)] ?? null;
  });
  const { host } = new URL(setUp.baseUrl);

  return {
    knobs,
    faults,
    serves: (url) => url.host === host,
    receive(request) {
      const call = readCall(books, request);
      if (isAnswer(call)) return call;
      const fault = faults.take(call.call, call.terminal.terminalId);
      const refusal = refusalFor(books, fault);
      return refusal ?? withFault(books, fault, answer({ books, tokens, readers }, call, fault));
    },
    truth: () => readTruth(books),
    issueToken: (terminalId, card = 'approves') => tokens.issue(terminalId, card),
    atReader: (terminalId, act, afterMs) => readers.plan(terminalId, act, afterMs ?? null),
    setReader: (terminalId, state) => readers.set(terminalId, state),
    byHand: byHandAt(books),
    closeTerminal(terminalId) {
      books.terminal(terminalId).terminal.apiKey = `closed ${terminalId}`;
    },
    addTerminal: (beside, terminal) => void books.terminal(beside).merchant.terminals.push({ ...terminal }),
  };
}

type Parts = { books: Books; tokens: Tokens; readers: Readers };

function answer(parts: Parts, call: GatewayCall, fault: Fault | null): WireAnswer | VendorStep {
  const { books } = parts;
  const { call: kind } = call;
  switch (kind) {
    case 'token':
      return parts.tokens.answerManual(call);
    case 'sale':
    case 'terminal-sale':
    case 'ach-sale':
      return arriveCharge(parts, { ...call, call: kind }, fault);
    case 'void':
    case 'refund':
      return arriveReversal(books, { ...call, call: kind }, fault);
    case 'close':
      return arriveClose(books, call, fault);
    default:
      // A list is read some time after the call has arrived.
      return { afterMs: books.draw(books.knobs.processMs), run: () => read(books, call, fault) };
  }
}

function read(books: Books, call: GatewayCall, fault: Fault | null): WireAnswer {
  if (call.call === 'batches') return answerBatches(books, call, fault);
  if (call.call === 'open-batch') return answerOpenBatch(books, call, fault);
  if (call.call === 'settings') return answerSettings(books, call);
  return answerSearch(books, call, fault);
}

/** G43: the terminal that a key belongs to. */
function answerSettings(books: Books, { merchant, terminal }: GatewayCall): WireAnswer {
  return success(books.nextExchange(), {
    payloadType: 'terminal-settings',
    'terminal-settings': {
      'merchant-id': merchant.merchantId,
      'merchant-name': merchant.name,
      'terminal-id': terminal.terminalId,
      'terminal-name': terminal.name,
      'commerce-type': terminal.commerceType,
      'enable-auto-close-batch': String(books.knobs.nightClose !== null),
    },
  });
}

/** Applies the fault to the last answer of the steps. */
function withFault(books: Books, fault: Fault | null, next: WireAnswer | VendorStep): WireAnswer | VendorStep {
  if (isAnswer(next)) return applyFault(books, fault, next);
  return { afterMs: next.afterMs, run: () => withFault(books, fault, next.run()) };
}
