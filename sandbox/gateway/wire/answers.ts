import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { idOf, renderAnswer, type Transaction } from '../transactions.ts';
import { errorOf, exchangeId, GatewayProblem, success } from './envelope.ts';

/** The gateway's answer to one call, the transaction it is about, and the one that the call made, if any. */
export type Answer = {
  status: ContentfulStatusCode;
  body: Record<string, unknown>;
  about?: Transaction;
  recorded?: Transaction;
};

const linksTo = (row: Transaction) => [
  { rel: 'transaction', href: `/rest/v2/transactions?id=${idOf(row.seq)}`, id: idOf(row.seq) },
];

export function approvedAnswer(row: Transaction): Answer {
  const payload = { payloadType: 'transaction', transaction: renderAnswer(row) };
  return { status: 200, body: success('transaction', payload, { links: linksTo(row) }), about: row };
}

/** A decline carries both members; their result codes need not agree (the vendor's sample has 018 and 073). */
export function declinedAnswer(row: Transaction): Answer {
  return {
    status: 402,
    body: {
      code: '402',
      status: 'fail',
      'exchange-id': exchangeId('transaction'),
      links: linksTo(row),
      payload: { payloadType: 'error', transaction: renderAnswer(row), error: errorOf('073', row.display_message) },
    },
    about: row,
  };
}

/** For a transaction that was just made. */
export const newAnswer = (row: Transaction): Answer => ({
  ...(row.result === 'APPROVED' ? approvedAnswer(row) : declinedAnswer(row)),
  recorded: row,
});

export const problemAnswer = ({ status, body }: GatewayProblem): Answer => ({ status, body });

export const refusal = (status: ContentfulStatusCode, resultCode: string, message: string): Answer =>
  problemAnswer(new GatewayProblem(status, resultCode, message));
