import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Webhooks } from '#sandbox/webhooks';
import type { World } from '#sandbox/world';
import { type AchStatusChange, achAnswer } from './ach.ts';
import { returnMessage } from './outcomes.ts';
import { findTerminal } from './terminals/terminals.ts';
import { gatewayTime, idOf, type Transaction } from './transactions.ts';
import { approvedAnswer, declinedAnswer } from './wire.ts';

/**
 * Private keys (hex PKCS #8, brainpoolP384t1) to the terminals' public keys, by terminal id. Throwaway keys, used only
 * to sign this sandbox's webhooks.
 */
export const signingKeys: Record<string, string> = {
  '70141':
    '3081ba020100301406072a8648ce3d020106092b240303020801010c04819e30819b0201010430830b0814eeef04531ede0f' +
    '3eadc18739e1216e04f070133641e3437a92d6d3bb5e61929275d51b64f9e17f1a3c966da9a16403620004726c850fe86c40' +
    '1c6dc8f6bb280d33a367ecee75fb0291669d882fff792d33b5233489777ab0adf171c3b83481357ca87776fdd0bff7feca8c' +
    'f35653e288722ddc5bc3e7cc128be2e61c4562da6ce8704dea395cc3e716af08f099c29ac75aca',
  '70142':
    '3081ba020100301406072a8648ce3d020106092b240303020801010c04819e30819b020101043053f728cf1b750f26af67f6' +
    '0a785c7f252e1cc50a1a85468cff5cbc407ee772ddac6acb118c4d6ff2a4983d5a3764e1a6a16403620004072743b6e69356' +
    'f3f44a6c9b2605060e29d9e869e9473879f13f8f6376e2e80cbbdae5d311d32964da1f5d44f9d75fb3879011fce793b4ad71' +
    '1e949553628eac60c61a7250604aaaa066582a1942831aa7d15d15f25ecd1b2cfd3afacbe0ff83',
  '70143':
    '3081ba020100301406072a8648ce3d020106092b240303020801010c04819e30819b020101043004681789bf15e1386c3b13' +
    '213ec4664bfa0c613b23a261498d1966b265189371ab300a9d665535be277d5fc3dd815a12a1640362000426a24df80a7343' +
    'b4416de218b9a2740161217dc3e438cb30863fe569fb43e6436bb0255165288a033f514eb901e8e87782f4f2e00b8362b333' +
    '9a2e006413e776e7a2ff4c4023f0c8680f71dac60f671a8bf22d83c5f084f71e3a0dd9f0a02606',
};

const keyCache = new Map<string, KeyObject>();

function keyFrom(hex: string): KeyObject {
  const cached = keyCache.get(hex);
  if (cached) return cached;
  const key = createPrivateKey({ key: Buffer.from(hex, 'hex'), format: 'der', type: 'pkcs8' });
  keyCache.set(hex, key);
  return key;
}

/** Signs exactly this text with the terminal's brainpool key (SHA-384, hex DER). Returns null if there is no key. */
export function signWithTerminalKey(world: World, terminalId: string, text: string): string | null {
  const hex =
    world.store.get<{ private_key: string }>('SELECT private_key FROM terminal_keys WHERE terminal_id = ?', terminalId)
      ?.private_key ?? signingKeys[terminalId];
  return hex ? sign('sha384', Buffer.from(text), keyFrom(hex)).toString('hex') : null;
}

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
 * Escapes characters as other JSON serializers may do, so that a receiver that parses the signed text and serializes
 * it again gets different text.
 */
const withEscapes = (json: string) =>
  json
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Builds the sale's envelope, with a signature of the exact text of the payload. */
export function transactionBody(world: World, row: Transaction): string {
  const answer =
    row.kind === 'ach' ? achAnswer(world, row) : row.result === 'APPROVED' ? approvedAnswer(row) : declinedAnswer(row);
  const { payload, ...envelope } = answer.body;
  const signedText = withEscapes(JSON.stringify(payload));
  const signature = signWithTerminalKey(world, row.terminal_id, signedText);
  const signatureMember = signature === null ? '' : `,"signature":"${signature}"`;
  return `${JSON.stringify(envelope).slice(0, -1)},"payload":${signedText}${signatureMember}}`;
}

/** Builds an unsigned body with its own field names. As in the vendor's test environment, a return is wrapped twice. */
function achBody({ row, from, to, atMs, returnCode }: AchStatusChange): string {
  const timestamp = new Date(atMs).toISOString();
  const event = {
    PayLoadType: `ach.status.${to === 'Settling' ? 'updated' : to.toLowerCase()}`,
    Payload: {
      transaction_id: idOf(row.seq),
      previous_status: from,
      new_status: to,
      amount: row.amount_cents / 100,
      currency: 'USD',
      merchant_id: row.merchant_id,
      timestamp,
      ...(to === 'Settled' ? { settlement_date: gatewayTime(atMs).slice(0, 10) } : {}),
      ...(returnCode === null
        ? {}
        : { return_reason_code: returnCode, return_reason_description: returnMessage(returnCode) }),
    },
  };
  return JSON.stringify(to === 'Returned' ? { PayLoadType: event.PayLoadType, Payload: event } : event);
}

export type WebhookAnnouncer = ReturnType<typeof createAnnouncements>;

/** Maximum number of webhooks that are sent again in parallel. */
const MAX_PARALLEL = 50;

/** Sends webhooks about transactions to the product. */
export function createAnnouncements(world: World, webhooks: Webhooks, pause: (ms: number) => Promise<void>) {
  const accountOf = (row: Transaction) => findTerminal(world, row.terminal_id)?.hub_id ?? null;
  const send = (row: Transaction, event: string, text: string, wirePath: string) =>
    webhooks.send({
      kind: 'transactions',
      subjectId: idOf(row.seq),
      event,
      text,
      wirePath,
      account: accountOf(row),
    });
  const sendTransaction = (row: Transaction, wirePath: string) =>
    send(row, EVENTS[row.type], transactionBody(world, row), wirePath);

  return {
    /**
     * Returns at once. With `webhooks_first`, it returns after the product's response to the webhook, which therefore
     * precedes the response to the call that created the transaction.
     */
    async transaction(row: Transaction, wirePath: string): Promise<void> {
      if (world.settings(accountOf(row)).webhooks_first) await sendTransaction(row, wirePath);
      else void pause(0).then(() => sendTransaction(row, wirePath));
    },

    statusChanges(...moves: AchStatusChange[]) {
      for (const move of moves) void send(move.row, `ACH ${move.to}`, achBody(move), ACH_PATH);
    },

    /** Sends each transaction's webhook `times` times, all in random order. Returns the number of webhooks. */
    async resend(rows: Transaction[], times: number): Promise<number> {
      const deliveries = rows
        .flatMap((row) => Array.from({ length: times }, () => ({ row, order: Math.random() })))
        .sort((a, b) => a.order - b.order);
      for (let start = 0; start < deliveries.length; start += MAX_PARALLEL)
        await Promise.all(
          deliveries.slice(start, start + MAX_PARALLEL).map(({ row }) => sendTransaction(row, '/rest/v2/transactions')),
        );
      return deliveries.length;
    },
  };
}
