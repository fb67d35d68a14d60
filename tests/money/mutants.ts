import { automaticResolution, type CaseName } from './experiments/automatic-resolution.ts';
import { concurrentSubmits, sameToken } from './experiments/concurrency.ts';
import { changedBalance } from './experiments/crm-drift.ts';
import { answerOfAnotherSale, unreachable, wrongAmount } from './experiments/gateway-faults.ts';
import { lateSighting } from './experiments/late-sighting.ts';
import { IMPATIENT, lateSuccess, retryUnderWay } from './experiments/late-success.ts';
import { lostAlarm } from './experiments/lost-alarm.ts';
import { resetObject } from './experiments/object-resets.ts';
import { concurrentParts, differentAmount, equalParts } from './experiments/parts.ts';
import { fasterCron, twoSenders } from './experiments/races.ts';
import { restoredDatabase } from './experiments/restore.ts';
import { tokenExpiry } from './experiments/token-expiry.ts';
import { conditions, type Mutation, mutations, nameOfCondition } from './guards.ts';
import type { Figures } from './report.ts';
import type { TestWorker } from './test-worker.ts';

type Proof = {
  /** Fails without the guard; passes with the guard but without its second layer. */
  experiment: (testWorker: TestWorker) => Promise<Figures>;
  settings?: Record<string, number>;
};

/**
 * The product without one of its guards. A guard is needed only if some experiment fails without it. Where a second
 * layer would hide the failure, the mutant removes that layer too, and the guard alone must still hold.
 */
export type Mutant = Mutation & Proof;

const caseOf: Record<string, CaseName> = {
  'it was never released': 'it was released once',
  'exactly one charge': 'it was charged twice',
  'of equal amount': 'the amount differs',
  'not voided': 'the charge was voided',
  'not refunded': 'a part was refunded',
  'no refund that the nightly run saw': 'a refund was seen by the nightly run',
  'no foreign charge': 'another order charged the invoice',
  'no foreign charge by the other way of paying': 'a bank debit was made under its key',
  'no other attempt is refunded': 'another attempt was refunded',
  'no other attempt is live': 'another attempt waits as well',
  'no person has decided': 'a person has decided',
};

const proofs: Record<string, Proof> = {
  'our own charge is no foreign one': { experiment: (testWorker) => lateSighting(testWorker, 'one index lags', 2) },
  'both look-ups are judged': { experiment: (testWorker) => lateSighting(testWorker, 'one index lags', 2) },
  ...Object.fromEntries(
    conditions.map(({ name }) => [
      nameOfCondition(name),
      { experiment: (testWorker: TestWorker) => automaticResolution(testWorker, ['free', caseOf[name] ?? 'free']) },
    ]),
  ),
  'one live attempt (unique index)': {
    experiment: (testWorker) => concurrentSubmits(testWorker, { invoices: 3, submits: 12 }),
  },
  'expected state (compare and set)': { experiment: (testWorker) => fasterCron(testWorker, 6) },
  'trigger on moves': { experiment: (testWorker) => fasterCron(testWorker, 6) },
  'changes() before the ledger row': { experiment: (testWorker) => fasterCron(testWorker, 6) },
  "the ledger's key": { experiment: (testWorker) => answerOfAnotherSale(testWorker, 2) },
  'no claim while a person must look': { experiment: (testWorker) => wrongAmount(testWorker, 3) },
  hold: { settings: IMPATIENT, experiment: (testWorker) => lateSuccess(testWorker, { dedupe: 'none', invoices: 3 }) },
  'no payment under way is released': { experiment: (testWorker) => retryUnderWay(testWorker, 3) },
  'unreachable is not empty': { experiment: (testWorker) => unreachable(testWorker, 3) },
  'amount in the answer': { experiment: (testWorker) => wrongAmount(testWorker, 3) },
  'amount in the look-up': { experiment: (testWorker) => wrongAmount(testWorker, 3) },
  'token hash': { experiment: (testWorker) => sameToken(testWorker, { tokens: 3, submits: 10 }) },
  'amount read from the CRM': { experiment: (testWorker) => changedBalance(testWorker, 3) },
  'lease on the renewal of a token': { experiment: (testWorker) => tokenExpiry(testWorker, 1) },
  'claim of a mail': { experiment: (testWorker) => twoSenders(testWorker, 2) },
  'payments wait after a restore': { experiment: (testWorker) => restoredDatabase(testWorker, 10) },
  'a lost charge is found again': { experiment: (testWorker) => restoredDatabase(testWorker, 10) },
  'the index knows the part': { experiment: (testWorker) => equalParts(testWorker, 2) },
  'one part under way (unique index)': {
    experiment: (testWorker) => concurrentParts(testWorker, { invoices: 3, payers: 12 }),
  },
  'a part is live once (unique index)': {
    experiment: (testWorker) => concurrentParts(testWorker, { invoices: 3, payers: 12 }),
  },
  'no claim above what is left': {
    experiment: (testWorker) => concurrentParts(testWorker, { invoices: 3, payers: 12 }),
  },
  'a part has a key of its own': { experiment: (testWorker) => equalParts(testWorker, 2) },
  'a released part takes the same amount alone': {
    settings: IMPATIENT,
    experiment: (testWorker) => differentAmount(testWorker, 2),
  },
};

/** Guards of a clinic's alarm, which the simulation models itself. */
const clockMutants: Mutant[] = [
  {
    name: 'the next alarm before anything else',
    edit: { file: 'worker/clinic/database-and-alarm.ts', from: 'await this.#storage.setAlarm(this.#alarmAt);', to: '' },
    secondLayer: null,
    experiment: (testWorker) => resetObject(testWorker, 1, ['while it settles']),
  },
  {
    name: 'the cron wakes silent clinics',
    edit: { file: 'worker/domain/clinics/heartbeat.ts', from: 'clinics.wake(clinic)', to: 'Promise.resolve()' },
    secondLayer: null,
    experiment: (testWorker) => lostAlarm(testWorker, 3),
  },
];

const moneyMutants: Mutant[] = mutations.map((mutation) => {
  const proof = proofs[mutation.name];
  if (!proof) throw new Error(`no experiment needs the guard "${mutation.name}"`);
  return { ...mutation, ...proof };
});

export const mutants: Mutant[] = [...moneyMutants, ...clockMutants];
