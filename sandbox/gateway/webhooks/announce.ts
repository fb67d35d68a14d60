import type { Webhooks } from '#sandbox/webhooks';
import type { World } from '#sandbox/world';
import { achAnswer } from '../ach.ts';
import type { AchMove } from '../ach-life.ts';
import { returnMessage } from '../outcomes.ts';
import { findTerminal } from '../terminals/terminals.ts';
import { gatewayTime, idOf, type Transaction } from '../transactions.ts';
import { approvedAnswer, declinedAnswer } from '../wire/answers.ts';
import { signFor } from './signing.ts';

const EVENTS: Record<Transaction['type'], string> = {
  SALE: 'Sale',
  AUTH: 'Authorization',
  CAPTURE: 'Capture',
  VOID: 'Void',
  REFUND: 'Refund',
  DEBIT: 'ACH Debit',
};

const ACH_PATH = '/rest/v2/ach/transactions';

/**
 * Escapes as another JSON writer would, so a receiver that parses the signed text and writes it again gets other
 * text.
 */
const withEscapes = (json: string) =>
  json
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The sale's envelope with a signature over the exact text of the payload. */
export function transactionBody(world: World, row: Transaction): string {
  const answer =
    row.kind === 'ach' ? achAnswer(world, row) : row.result === 'APPROVED' ? approvedAnswer(row) : declinedAnswer(row);
  const { payload, ...rest } = answer.body;
  const signed = withEscapes(JSON.stringify(payload));
  const signature = signFor(world, row.terminal_id, signed);
  const tail = signature === null ? '' : `,"signature":"${signature}"`;
  return `${JSON.stringify(rest).slice(0, -1)},"payload":${signed}${tail}}`;
}

/** Unsigned and spelled differently. The vendor's test environment has wrapped it twice, as returns are here. */
function achBody({ row, from, to, atMs, returnCode }: AchMove): string {
  const at = new Date(atMs).toISOString();
  const event = {
    PayLoadType: `ach.status.${to === 'Settling' ? 'updated' : to.toLowerCase()}`,
    Payload: {
      transaction_id: idOf(row.seq),
      previous_status: from,
      new_status: to,
      amount: row.amount_cents / 100,
      currency: 'USD',
      merchant_id: row.merchant_id,
      timestamp: at,
      ...(to === 'Settled' ? { settlement_date: gatewayTime(atMs).slice(0, 10) } : {}),
      ...(returnCode === null
        ? {}
        : { return_reason_code: returnCode, return_reason_description: returnMessage(returnCode) }),
    },
  };
  return JSON.stringify(to === 'Returned' ? { PayLoadType: event.PayLoadType, Payload: event } : event);
}

export type Announcements = ReturnType<typeof createAnnouncements>;

/** Limit of parallel webhooks when all are sent again. */
const AT_ONCE = 50;

/** Sends webhooks about transactions to the product. */
export function createAnnouncements(world: World, webhooks: Webhooks, pause: (ms: number) => Promise<void>) {
  const accountOf = (row: Transaction) => findTerminal(world, row.terminal_id)?.hub_id ?? null;
  const send = (row: Transaction, event: string, text: string, wirePath: string) =>
    webhooks.send({
      kind: 'transactions',
      about: idOf(row.seq),
      event,
      text,
      wirePath,
      account: accountOf(row),
    });
  const sendTransaction = (row: Transaction, wirePath: string) =>
    send(row, EVENTS[row.type], transactionBody(world, row), wirePath);

  return {
    /**
     * Returns at once, unless `webhooks_first` wants the webhook answered before the call that made the transaction.
     */
    async transaction(row: Transaction, wirePath: string): Promise<void> {
      if (world.settings(accountOf(row)).webhooks_first) await sendTransaction(row, wirePath);
      else void pause(0).then(() => sendTransaction(row, wirePath));
    },

    ach(...moves: AchMove[]) {
      for (const move of moves) void send(move.row, `ACH ${move.to}`, achBody(move), ACH_PATH);
    },

    /** Sends each of these `times` times, all in random order. Returns how many were sent. */
    async again(rows: Transaction[], times: number): Promise<number> {
      const all = rows
        .flatMap((row) => Array.from({ length: times }, () => ({ row, place: Math.random() })))
        .sort((a, b) => a.place - b.place);
      for (let at = 0; at < all.length; at += AT_ONCE)
        await Promise.all(all.slice(at, at + AT_ONCE).map(({ row }) => sendTransaction(row, '/rest/v2/transactions')));
      return all.length;
    },
  };
}
