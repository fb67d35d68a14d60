import { unlessErased } from '#worker/clinic/no-such-clinic';
import { findMerchantByNumber, type MerchantRow, recordEvent } from '#worker/data/merchants/merchants';
import type { NewTerminalRow } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { BoardingEvent } from '#worker/vendors/boarding-port';
import { clinicsOfMessage, tellKeys } from './clinic-of-account.ts';
import { sealTerminal } from './connect.ts';

type Status = MerchantRow['status'];

/** States that each event may lead from: late and repeated events never take a step back. */
const MOVES: Record<string, { to: Status; from: Status[] }> = {
  Pended: { to: 'pended', from: ['applied', 'in-review'] },
  'Manual Review': { to: 'in-review', from: ['applied', 'pended'] },
  Approved: { to: 'approved', from: ['applied', 'pended', 'in-review'] },
  Declined: { to: 'declined', from: ['applied', 'pended', 'in-review'] },
  Boarded: { to: 'boarded', from: ['applied', 'pended', 'in-review', 'approved', 'declined'] },
};

export type BoardingWebhookOutcome = 'heard' | 'ignored' | 'unproved';

/**
 * Handle the provider's message about an application. It is not signed: it counts only for a merchant that we know, and
 * a terminal key only after the gateway itself has named the same merchant for it.
 */
export async function handleBoardingWebhook(deps: Deps, event: BoardingEvent): Promise<BoardingWebhookOutcome> {
  const { merchantNumber } = event;
  // A key of the directory may be out of date, so a clinic that does not know the merchant must not hide another.
  for (const named of await clinicsOfMessage(deps, { terminalId: '', merchantNumber })) {
    const merchant = await unlessErased(findMerchantByNumber(named.deps.db, merchantNumber));
    if (merchant) return takeIn(named.deps, merchant, event);
  }
  return 'ignored';
}

async function takeIn(deps: Deps, { accountId }: MerchantRow, event: BoardingEvent): Promise<BoardingWebhookOutcome> {
  const devices: NewTerminalRow[] = [];
  for (const { apiKey, publicKey, name } of event.terminals) {
    const facts = await deps.boarding.describeTerminal(apiKey);
    if (facts === 'unavailable') return 'unproved';
    if (facts === 'bad-credentials' || facts.merchantNumber !== event.merchantNumber) {
      deps.log.alert('boarding-key-refused', { accountId });
      return 'ignored';
    }
    const { terminalId, channel } = facts;
    const proved = { accountId, terminalId, name: facts.name || name, channel, publicKey, apiKey };
    devices.push(await sealTerminal(deps, proved));
  }
  // A merchant is boarded only once it has a terminal to take payments with.
  const isEmpty = event.event === 'Boarded' && event.terminals.length === 0;
  // Asking the gateway took a while, so the write decides whether this is still the account's application.
  const move = isEmpty ? null : (MOVES[event.event] ?? null);
  const log = { accountId, messageHash: await deps.sha256(event.raw), event: event.event, at: deps.now() };
  const provider = { ...deps, actor: { ...deps.actor, kind: 'provider' as const } };
  const told = auditEvent(provider, {
    accountId,
    action: 'merchant.moved',
    subject: ['merchant', String(accountId)],
    after: { told: event.event, to: move?.to, terminals: devices.map(({ terminalId }) => terminalId).join(' ') },
  });
  const noted = await recordEvent(deps.db, event.merchantNumber, { log, move, devices }, told);
  if (noted === 'not-theirs') return 'ignored';
  if (devices.length > 0) await tellKeys(deps);
  if (noted === 'new') deps.log.info('boarding-event', { accountId, told: event.event });
  return 'heard';
}
