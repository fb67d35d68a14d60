import { crmFaults } from '../crm/crm.ts';
import { LINE_FAULTS } from '../engine/network.ts';
import { CALLS, faultsOf } from '../gateway/faults.ts';
import { mailFaults } from '../mail/mail.ts';
import { DATABASE_FAULTS } from '../world/course.ts';
import type { Reached } from './coverage.ts';

/** States in which an attempt can stand; `none` before there is one. */
const STATES = [
  ...['none', 'sent', 'unknown', 'pending', 'approved', 'needs_human', 'declined', 'rejected', 'not_charged'],
  ...['cancelled', 'timed_out', 'returned', 'voided', 'refunded'],
];

const FROM_OUTSIDE = [
  ...['r2-fails', 'crash', 'clock-jumps', 'minute-lost', 'gateway-silent', 'crm-down', 'mail-down', 'balance-edited'],
  ...['forged-webhook', 'void-by-hand', 'refund-by-hand', 'close-by-hand', 'sale-by-hand', 'return-debit'],
];

/** The product makes no such call. */
const NEVER_CALLED = ['token', 'open-batch', 'settings'];

const faults = (): string[] => [
  ...LINE_FAULTS,
  ...DATABASE_FAULTS,
  ...FROM_OUTSIDE,
  ...crmFaults.map((fault) => `crm ${fault}`),
  ...mailFaults.map((fault) => `mail ${fault}`),
  ...new Set(
    CALLS.filter((call) => !NEVER_CALLED.includes(call)).flatMap((call) =>
      faultsOf(call).map((fault) => `gateway ${fault}`),
    ),
  ),
];

/** Pairs that cannot be, with the reason. */
const cannotBe: { why: string; is(state: string, fault: string): boolean }[] = [];

export const pairsExpected = (): string[] =>
  STATES.flatMap((state) =>
    faults()
      .filter((fault) => !cannotBe.some(({ is }) => is(state, fault)))
      .map((fault) => `${state} x ${fault}`),
  );

export const neverReached = ({ pairs }: Reached): string[] => pairsExpected().filter((pair) => !(pair in pairs));
