import type { CrmWriteState } from '#worker/data/schema/write-back';
import { ON_ITS_WAY_MS } from '#worker/data/write-back/unrecorded';
import type { StateRule } from '#worker/domain/state-rule';
import { LONGEST_WAIT_MS } from './record-reversal.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * Every state of a record in the CRM: what may follow it, what ends it, by when, and where it is told if nothing does. The
 * limits hold in an account that records payments and while its CRM answers; in any other, staff may end each open one by
 * hand. `unrecorded`: the clinic's list of what the CRM shows nothing of, which names the reason. Payers never wait for a
 * record longer than a quarter of an hour: then the CRM's balance decides (worker/data/parts/collections.ts).
 */
export const recordStates = {
  due: {
    exits: ['sent', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand'],
    endedBy:
      'The clock, which asks the CRM for the record; for what was given back, once its payment’s record is settled.',
    limitMs: LONGEST_WAIT_MS.other,
    alert: 'unrecorded',
  },
  sent: {
    exits: ['due', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand'],
    endedBy: 'The CRM’s list of records, or its balance; a day after the call without either, a person.',
    limitMs: DAY_MS + ON_ITS_WAY_MS,
    alert: 'unrecorded',
  },
  refused: {
    exits: ['sent', 'written', 'unknown', 'not_wanted', 'by_hand'],
    endedBy: 'The CRM, when it is asked again; or a person’s word that it was recorded by hand.',
    limitMs: 0,
    alert: 'unrecorded',
  },
  unknown: {
    exits: ['written', 'not_wanted', 'by_hand'],
    endedBy: 'A person’s word that it was recorded by hand; or the CRM’s list of records, in which it is looked for.',
    limitMs: 0,
    alert: 'unrecorded',
  },
  written: {
    exits: ['by_hand'],
    endedBy: 'An end, unless the balance shows nothing of it.',
    limitMs: null,
    alert: null,
  },
  not_wanted: {
    exits: ['by_hand'],
    endedBy: 'An end, unless a person recorded it by hand.',
    limitMs: null,
    alert: null,
  },
  by_hand: { exits: [], endedBy: 'An end.', limitMs: null, alert: null },
} as const satisfies Record<CrmWriteState, StateRule<CrmWriteState>>;
