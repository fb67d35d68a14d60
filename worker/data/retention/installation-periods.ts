import { atItsEnd, DAY, type Kept, withAccount } from './kept.ts';

/** The part of the register of periods that is of all clinics together; see periods.ts. */
export const installationTables: Record<string, Kept> = {
  operators: { row: 'until an operator removes it', rules: [], why: 'who runs the installation' },
  operator_passkeys: { row: 'with the operator', rules: [], why: 'public keys, which open nothing by themselves' },
  operator_sessions: {
    rules: [{ does: 'delete', column: 'ends_at', ms: 7 * DAY, index: 'operator_sessions_end' }],
    why: 'as with merchants’ sessions',
  },
  operator_codes: {
    row: 'for ever where it is the set-up code, which has no `ends_at`',
    rules: [atItsEnd('operator_codes_end')],
    why: 'good for 24 hours, once; the set-up code works once',
  },
  operator_challenges: { rules: [atItsEnd('operator_challenges_end')], why: 'good for 5 minutes, once' },
  payment_switch: { row: 'for ever', rules: [], why: 'one row' },
  clinics: { row: 'for ever', rules: [], why: 'a number is never given twice; one short row for each clinic' },
  clinic_keys: withAccount('it says whose a vendor’s message is'),
  alerts: { row: 'for ever', rules: [], why: 'what stood, and who took it on' },
};
