import type { VendorStep, WireAnswer } from '../vendor.ts';
import type { Fault } from './faults.ts';
import type { Books } from './gateway-records.ts';
import { failure } from './wire.ts';

const MINUTE = 60_000;
const HTML = { 'content-type': 'text/html' };
const PAGE = '<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>';

/** G42: the answer to a call that a fault keeps from taking effect; null if the call proceeds. */
export function refusalFor(books: Books, fault: Fault | null): WireAnswer | VendorStep | null {
  const refuse = (status: number, code: string, message: string) =>
    failure(books.nextExchange(), books.world.now(), { status, code, message });
  switch (fault) {
    case '500-before':
      return refuse(500, '050', 'Internal server error');
    case 'html-502-before':
      return { status: 502, headers: HTML, body: PAGE };
    case 'unauthorized':
      return refuse(401, '042', 'UNAUTHORIZED');
    case 'forbidden':
      return refuse(403, '042', 'FORBIDDEN');
    case 'rate-limited':
      return { ...refuse(429, '050', 'Too many requests'), headers: { 'retry-after': '30' } };
    case 'redirect':
      return { status: 302, headers: { location: 'https://elsewhere.invalid/' }, body: '' };
    case 'hangs-before':
      return { afterMs: books.draw([3 * MINUTE, 10 * MINUTE]), run: () => refuse(500, '049', 'No response') };
    default:
      return null;
  }
}

/** G42: applies a fault to the answer of a call that took effect. */
export function applyFault(books: Books, fault: Fault | null, answer: WireAnswer): WireAnswer | VendorStep {
  const okAnswer = { ...answer, status: 200 };
  switch (fault) {
    case 'answer-late':
      return { afterMs: books.draw([2 * MINUTE, 10 * MINUTE]), run: () => answer };
    case '500-after':
      return failure(books.nextExchange(), books.world.now(), { status: 500, code: '050', message: 'Internal error' });
    case 'html-after':
      return { ...okAnswer, headers: HTML, body: PAGE };
    case 'bad-json-after':
      return { ...okAnswer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) || '{' };
    case 'empty-after':
      return { ...okAnswer, body: '' };
    case 'xml-after':
      return {
        ...okAnswer,
        headers: { 'content-type': 'application/xml' },
        body: '<response><code>200</code></response>',
      };
    default:
      return changeFields(fault, answer);
  }
}

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes single fields of the transactions or batches in an answer. */
function changeFields(fault: Fault | null, answer: WireAnswer): WireAnswer {
  const change = fieldChangeFor(fault);
  if (!change || answer.body === '') return answer;
  const body: unknown = JSON.parse(answer.body);
  if (!isRow(body) || !isRow(body.payload)) return answer;
  if (fault === 'no-transaction-answered') {
    delete body.payload.transaction;
    delete body.payload['ach-transaction'];
  }
  for (const row of rowsOf(body.payload)) change(row);
  return { ...answer, body: JSON.stringify(body) };
}

function fieldChangeFor(fault: Fault | null): ((row: Row) => void) | null {
  switch (fault) {
    case 'wrong-amount-answered':
      return (row) => Object.assign(row, { amount: '1.23' });
    case 'other-order-answered':
      return (row) => Object.assign(row, { 'order-id': 'somebodyelse00', invoice: 'OTHER-1', id: `9${row.id}` });
    case 'unknown-result':
    case 'unknown-words':
      return (row) => Object.assign(row, { result: 'ON_HOLD', status: 'On hold', 'result-code': '073' });
    case 'no-words':
      return (row) => removeMembers(row, ['result', 'status', 'result-code']);
    case 'no-amount-answered':
      return (row) => removeMembers(row, ['amount']);
    case 'no-id-answered':
      return (row) => removeMembers(row, ['id']);
    case 'no-transaction-answered':
      return () => undefined;
    default:
      return null;
  }
}

function removeMembers(row: Row, members: string[]): void {
  for (const member of members) delete row[member];
}

function rowsOf(payload: Row): Row[] {
  const lists = [
    payload.transaction,
    payload['ach-transaction'],
    isRow(payload.transactions) ? payload.transactions.transaction : null,
    isRow(payload['ach-transactions']) ? payload['ach-transactions']['ach-transaction'] : null,
    isRow(payload.batches) ? payload.batches.batch : null,
    payload.batch,
  ];
  return lists.flat().filter(isRow);
}
