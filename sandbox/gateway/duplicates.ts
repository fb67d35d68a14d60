import { z } from 'zod';
import type { World } from '../world.ts';
import type { Terminal } from './terminals/terminals.ts';
import { findTransactions, type Transaction } from './transactions.ts';
import { GatewayProblem } from './wire.ts';

export const CheckField = {
  'check-field': z.string().optional(),
  'check-field-mid': z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
};

/** A transaction that may duplicate an earlier one. */
export type Candidate = {
  type: Transaction['type'];
  amountCents: number;
  invoice: string;
  lastFour: string;
  checkField: string | undefined;
  isMerchantWide: boolean;
  /** The newest transaction when the request arrived. */
  arrivalSeq: number;
};

/**
 * Finds a paid transaction of the same kind, invoice value and amount, which is returned again instead of charged
 * twice. The vendor does not document whether this covers calls in flight, so the `dedupe` setting decides: `commit`
 * checks at the time of the charge, and `arrival` considers only transactions that were complete when the request
 * arrived.
 */
export function findOriginal(world: World, terminal: Terminal, candidate: Candidate): Transaction | null {
  const { dedupe } = world.settings(terminal.hub_id);
  if (dedupe === 'none' || candidate.checkField !== 'invoice' || candidate.invoice === '') return null;
  const maxSeq = dedupe === 'arrival' ? candidate.arrivalSeq : Number.MAX_SAFE_INTEGER;
  const [scope, value] = candidate.isMerchantWide
    ? ['merchant_id', terminal.merchant_id]
    : ['terminal_id', terminal.terminal_id];
  const originals = findTransactions(
    world,
    `invoice = ? AND amount_cents = ? AND type = ? AND ${scope} = ? AND result = 'APPROVED' AND voided = 0 AND seq <= ? AND NOT EXISTS (SELECT 1 FROM ach_moves AS moves WHERE moves.seq = transactions.seq AND moves.status = 'Returned') ORDER BY seq LIMIT 1`,
    candidate.invoice,
    candidate.amountCents,
    candidate.type,
    value ?? '',
    maxSeq,
  );
  return originals[0] ?? null;
}

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]).default(false);

export const DuplicateSettings = z.object({
  enabled: flag,
  'time-range-in-minutes': z.coerce.number().int().min(1).max(1440).default(30),
  'check-merchant-level': flag,
  'include-invoice': flag,
  'use-invoice-instead-of-card': flag,
  'if-duplicate-found-respond-with-error': flag,
});
export type DuplicateSettings = z.output<typeof DuplicateSettings>;

export const duplicateSettingsOf = (terminal: Terminal): DuplicateSettings =>
  DuplicateSettings.parse(JSON.parse(terminal.duplicates ?? '{}'));

/**
 * Applies the terminal's own rule, which is off by default: finds a sale of the same amount with the same card (or
 * invoice) within the configured number of minutes.
 */
export function findDuplicate(world: World, terminal: Terminal, candidate: Candidate): Transaction | null {
  const rule = duplicateSettingsOf(terminal);
  if (!rule.enabled || world.settings(terminal.hub_id).dedupe === 'none') return null;
  const duplicate = findTransactions(
    world,
    `merchant_id = ? AND amount_cents = ? AND type = ? AND result = 'APPROVED' AND voided = 0 AND created_ms >= ? ORDER BY seq DESC LIMIT 50`,
    terminal.merchant_id,
    candidate.amountCents,
    candidate.type,
    world.now() - rule['time-range-in-minutes'] * 60_000,
  ).find((row) => {
    if (!rule['check-merchant-level'] && row.terminal_id !== terminal.terminal_id) return false;
    if (rule['use-invoice-instead-of-card']) return row.invoice === candidate.invoice;
    return row.last_four === candidate.lastFour && (!rule['include-invoice'] || row.invoice === candidate.invoice);
  });
  if (duplicate && rule['if-duplicate-found-respond-with-error'])
    throw new GatewayProblem(402, '032', 'Duplicate Transaction');
  return duplicate ?? null;
}
