import { heldCents } from '../gateway/truth.ts';
import type { Bill } from './payers.ts';
import type { DayClinic, DayWorld } from './world.ts';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const VIEW_INTERVAL_MS = 3 * MINUTE;
const MAX_TRIES = 30;

/** Staff of the clinics, who view lists, close batches, refund payments and reconnect after a revocation. */
export function staffOf(world: DayWorld) {
  const { engine, product, gateways, crm, random, ask } = world;
  const counts = { closed: 0, reversed: 0, gaveUp: 0 };
  const reversedBills = new Set<string>();

  /** Views a list at intervals until `until` (UTC ms). */
  function viewList(clinic: DayClinic, until: number, onView: () => void): void {
    if (engine.now() > until) return;
    ask(
      (baseDeps, waitUntil) => product.openList(world.deps.of(baseDeps, clinic), waitUntil, clinic.accountId),
      onView,
    );
    engine.later(VIEW_INTERVAL_MS, () => viewList(clinic, until, onView));
  }

  function close(clinic: DayClinic, tries = 0): void {
    ask(
      (baseDeps) => product.closeBatch(world.deps.of(baseDeps, clinic), clinic.merchant, clinic.terminalId, null),
      (outcome) => {
        const kind = outcome instanceof Error ? 'no answer' : outcome.kind;
        if (kind === 'closed' || kind === 'processing') counts.closed += 1;
        else if (tries < MAX_TRIES) engine.later(10 * MINUTE, () => close(clinic, tries + 1));
      },
    );
  }

  /** Draws random bills until one has a refundable payment; null if none is found. */
  function drawPaid(bills: Bill[]) {
    const latest = engine.now() - HOUR / 6;
    for (let tries = 0; tries < 200; tries++) {
      const { clinic, n } = random.pick(bills);
      const { charges } = gateways.modelOf(clinic.at).truth();
      const charge = charges.find(
        ({ invoice, state }) => clinic.crm.numberOfKey(invoice ?? '') === n && state === 'approved',
      );
      if (!charge || charge.at > latest || heldCents(charge) === 0 || reversedBills.has(`${clinic.at}/${n}`)) continue;
      const [attempt] = clinic.object.read<{ id: string }>(
        "SELECT id FROM payment_attempts WHERE invoice_id = ? AND state = 'approved'",
        clinic.crm.idOf('invoices', n),
      );
      if (attempt) return { clinic, n, attemptId: attempt.id, charge };
    }
    return null;
  }

  /** Reverses a random payment in full or in part: a void while its batch is open, a refund after that. */
  function refundSome(bills: Bill[]): void {
    const payment = drawPaid(bills);
    if (!payment) {
      counts.gaveUp += 1;
      return;
    }
    const { clinic, n, attemptId, charge } = payment;
    reversedBills.add(`${clinic.at}/${n}`);
    const cents = random.chance(0.5) ? charge.amountCents : Math.ceil(charge.amountCents / 3);
    reverse(clinic, attemptId, charge.id, cents);
  }

  function reverse(clinic: DayClinic, attemptId: string, chargeId: string, cents: number, tries = 0): void {
    const { charges, batches } = gateways.modelOf(clinic.at).truth();
    const charge = charges.find(({ id }) => id === chargeId);
    const isOpen = batches.find(({ id }) => id === charge?.batchId)?.status === 'OPEN';
    const kind = isOpen ? ('void' as const) : ('refund' as const);
    const amountCents = isOpen ? null : cents;
    const request = { kind, amountCents, reason: 'asked at the desk', requestKey: `wish-${attemptId}-${kind}` };
    ask(
      (baseDeps) => product.reversePayment(world.deps.of(baseDeps, clinic), clinic.merchant, attemptId, request),
      (outcome) => {
        if (!(outcome instanceof Error) && outcome.kind === 'reversal') counts.reversed += 1;
        else if (tries < MAX_TRIES)
          engine.later(10 * MINUTE, () => reverse(clinic, attemptId, chargeId, cents, tries + 1));
        else counts.gaveUp += 1;
      },
    );
  }

  /** Revokes the grant in the CRM; a login grants it again after `forMs`. */
  function revoke(clinic: DayClinic, forMs: number): void {
    crm.disconnect(clinic.accountId);
    const reconnect = () =>
      ask(
        (baseDeps) => {
          const deps = world.deps.of(baseDeps, clinic);
          const accountData = { accountId: clinic.accountId, name: `Clinic ${clinic.at}`, domain: 'again.example' };
          const grant = { ...crm.connect(clinic.accountId), scopes: ['oauth'] };
          return product.connectAccount(deps, { ...accountData, timeZone: world.zoneOf(clinic) }, grant);
        },
        (result) => {
          if (result instanceof Error) engine.later(30 * SECOND, reconnect);
        },
      );
    engine.later(forMs, reconnect);
  }

  return { counts, viewList, close, refundSome, revoke };
}
