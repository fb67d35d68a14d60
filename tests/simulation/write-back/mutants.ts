import type { Edit } from '#tests/money/cluster/bundle';
import { bundled } from '../bundled.ts';
import type * as product from './product.ts';
import { type Run, runs } from './runs.ts';

const RECORD = 'worker/domain/write-back/record-payment.ts';
const REVERSAL = 'worker/domain/write-back/record-reversal.ts';
const EFFECT = 'worker/domain/write-back/effect.ts';
const LINE = 'worker/domain/write-back/effect.ts';
const WRITES = 'worker/data/write-back/writes.ts';
const TURN = 'worker/domain/write-back/write.ts';

/** A guard of write-back taken away, and the run in which that is missed. */
export type Mutant = { name: string; edit: Edit; run: Run };

/** Fewer payments than the requirement: each of these is missed within them. */
const short = (run: Run): Run => ({ ...run, count: 100 });
const on = short(runs.on);
const parts = short(runs.parts);
const late = short(runs.late);
const desk = short(runs.desk);
const recordOnly = short(runs.recordOnly);

export const mutants: Mutant[] = [
  {
    name: 'a look before a record is asked for',
    edit: { file: RECORD, from: 'if (found) return adopt(', to: "if (found && row.state === 'unknown') return adopt(" },
    run: on,
  },
  {
    name: 'a second look',
    edit: { file: RECORD, from: 'if (row.looks === 0) {', to: 'if (row.looks < 0) {' },
    run: on,
  },
  {
    name: 'two minutes between the looks',
    edit: { file: RECORD, from: 'SECOND_LOOK_MS = 2 * MINUTE_MS', to: 'SECOND_LOOK_MS = MINUTE_MS / 6' },
    run: on,
  },
  {
    name: 'what is owed has not moved before a second record',
    edit: { file: RECORD, from: ' || (isSecond && owed !== row.balanceCents)', to: '' },
    run: late,
  },
  {
    name: 'no second record where one moves no balance',
    edit: { file: RECORD, from: 'if (isSecond && (line.movesBalance !== true || ', to: 'if (isSecond && (' },
    run: recordOnly,
  },
  {
    name: 'nothing is recorded beyond what is owed',
    edit: { file: RECORD, from: 'owed === null || owed < net || ', to: 'owed === null || ' },
    run: desk,
  },
  {
    name: 'a record is ours by its reference',
    edit: {
      file: RECORD,
      from: '(record) => record.reference === reference',
      to: '(record) => record.reference !== reference + reference',
    },
    run: parts,
  },
  {
    name: 'asked for is stored before the call',
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
    name: 'what was given back is the sum, not one more refund',
    edit: {
      file: REVERSAL,
      from: 'crm.changeRecord(token, recordId, { amountCents, givenBackCents, comment })',
      to: `crm.changeRecord(token, recordId, { amountCents, comment, givenBackCents:
        givenBackCents + (records.find(({ id }) => id === recordId)?.givenBackCents ?? 0) })`,
    },
    run: on,
  },
  {
    name: 'only the balance says that an invoice is paid',
    edit: {
      file: EFFECT,
      from: "return previous !== null && owed < previous ? 'balance_moved' : 'nothing_moved';",
      to: "return 'paid';",
    },
    run: recordOnly,
  },
  {
    name: 'two writes a second',
    edit: { file: TURN, from: 'if (index > 0) await deps.pause(PACE_MS);', to: '' },
    run: on,
  },
  {
    name: 'the time that a 429 asks for',
    edit: { file: LINE, from: 'answer.waitMs ?? BUSY_MS', to: '0' },
    run: on,
  },
];

/** The product after an edit. */
export const productWithout = (edit: Edit) => bundled<typeof product>(new URL('./product.ts', import.meta.url), [edit]);
