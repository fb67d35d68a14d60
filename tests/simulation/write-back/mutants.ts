import type { Edit } from '#tests/money/cluster/bundle';
import { loadEdited } from '../bundled.ts';
import type * as product from './product.ts';
import { type Run, runs } from './runs.ts';

const RECORD = 'worker/domain/write-back/record-payment.ts';
const REVERSAL = 'worker/domain/write-back/record-reversal.ts';
const EFFECT = 'worker/domain/write-back/effect.ts';
const LINE = 'worker/domain/write-back/effect.ts';
const WRITES = 'worker/data/write-back/writes.ts';
const TURN = 'worker/domain/write-back/write.ts';

/** A removed guard of write-back, and the run that notices its absence. */
export type Mutant = { name: string; edit: Edit; run: Run };

/** A shorter run with 100 payments, enough to notice each removed guard. */
const shorten = (run: Run): Run => ({ ...run, count: 100 });
const on = shorten(runs.on);
const parts = shorten(runs.parts);
const late = shorten(runs.late);
const desk = shorten(runs.desk);
const recordOnly = shorten(runs.recordOnly);

export const mutants: Mutant[] = [
  {
    name: 'a look-up before a record is requested',
    edit: {
      file: RECORD,
      from: 'if (existing) return adoptRecord(',
      to: "if (existing && row.state === 'unknown') return adoptRecord(",
    },
    run: on,
  },
  {
    name: 'a second look-up',
    edit: { file: RECORD, from: 'if (row.looks === 0) {', to: 'if (row.looks < 0) {' },
    run: on,
  },
  {
    name: 'two minutes between the look-ups',
    edit: { file: RECORD, from: 'SECOND_LOOKUP_MS = 2 * MINUTE_MS', to: 'SECOND_LOOKUP_MS = MINUTE_MS / 6' },
    run: on,
  },
  {
    name: 'the balance is unchanged before a second record',
    edit: { file: RECORD, from: ' || (isRetry && owedCents !== row.balanceCents)', to: '' },
    run: late,
  },
  {
    name: 'no second record if records do not change the balance',
    edit: { file: RECORD, from: 'if (isRetry && (connection.movesBalance !== true || ', to: 'if (isRetry && (' },
    run: recordOnly,
  },
  {
    name: 'no record exceeds the amount owed',
    edit: { file: RECORD, from: 'owedCents === null || owedCents < netCents || ', to: 'owedCents === null || ' },
    run: desk,
  },
  {
    name: 'a record is identified by its reference',
    edit: {
      file: RECORD,
      from: '(record) => record.reference === reference',
      to: '(record) => record.reference !== reference + reference',
    },
    run: parts,
  },
  {
    name: 'the request is stored before the call',
    edit: {
      file: WRITES,
      from: "UPDATE crm_writes SET state = 'sent', tries = tries + 1",
      to: 'UPDATE crm_writes SET tries = tries',
    },
    run: on,
  },
  {
    name: 'one call at a time for an invoice',
    edit: { file: WRITES, from: 'AND (o.invoice_id = ?3 OR ', to: "AND (o.invoice_id = ?3 || '-' OR " },
    run: parts,
  },
  {
    name: 'the refunded amount is the sum, not an additional refund',
    edit: {
      file: REVERSAL,
      from: 'crm.changeRecord(token, recordId, { amountCents, givenBackCents, comment })',
      to: `crm.changeRecord(token, recordId, { amountCents, comment, givenBackCents:
        givenBackCents + (records.find(({ id }) => id === recordId)?.givenBackCents ?? 0) })`,
    },
    run: on,
  },
  {
    name: 'only the balance shows that an invoice is paid',
    edit: {
      file: EFFECT,
      from: "return previous !== null && owedCents < previous ? 'balance_moved' : 'nothing_moved';",
      to: "return 'paid';",
    },
    run: recordOnly,
  },
  {
    name: 'at most two writes a second',
    edit: { file: TURN, from: 'if (index > 0) await deps.pause(ROW_PAUSE_MS);', to: '' },
    run: on,
  },
  {
    name: 'the waiting time of a 429 is respected',
    edit: { file: LINE, from: 'answer.waitMs ?? BUSY_PAUSE_MS', to: '0' },
    run: on,
  },
];

/** The product after an edit. */
export const productWithout = (edit: Edit) =>
  loadEdited<typeof product>(new URL('./product.ts', import.meta.url), [edit]);
