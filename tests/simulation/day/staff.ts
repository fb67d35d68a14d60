import { heldCents } from '../gateway/truth.ts';
import type { Bill } from './payers.ts';
import type { DayClinic, DayWorld } from './world.ts';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const LOOKS_EVERY_MS = 3 * MINUTE;
const TRIES = 30;

/** Staff of the clinics: they look at lists, close batches, give payments back and connect again after a revocation. */
export function staffOf(world: DayWorld) {
  const { engine, product, gateways, crm, random, ask } = world;
  const done = { closed: 0, reversed: 0, gaveUp: 0 };
  const returned = new Set<string>();

  /** Opens a list now and then until `until` (UTC ms). */
  function look(clinic: DayClinic, until: number, looked: () => void): void {
    if (engine.now() > until) return;
    ask((any, goOn) => product.look(world.deps.of(any, clinic), goOn, clinic.accountId), looked);
    engine.later(LOOKS_EVERY_MS, () => look(clinic, until, looked));
  }

  function close(clinic: DayClinic, tries = 0): void {
    ask(
      (any) => product.closeBatch(world.deps.of(any, clinic), clinic.merchant, clinic.terminalId, null),
      (outcome) => {
        const kind = outcome instanceof Error ? 'no answer' : outcome.kind;
        if (kind === 'closed' || kind === 'processing') done.closed += 1;
        else if (tries < TRIES) engine.later(10 * MINUTE, () => close(clinic, tries + 1));
      },
    );
  }

  /** A payment that can be given back, among some that chance picks. */
  function anyPaid(bills: Bill[]) {
    const old = engine.now() - HOUR / 6;
    for (let tries = 0; tries < 200; tries++) {
      const { clinic, n } = random.pick(bills);
      const { charges } = gateways.modelOf(clinic.at).truth();
      const charge = charges.find(
        ({ invoice, state }) => clinic.crm.numberOfKey(invoice ?? '') === n && state === 'approved',
      );
      if (!charge || charge.at > old || heldCents(charge) === 0 || returned.has(`${clinic.at}/${n}`)) continue;
      const [attempt] = clinic.object.read<{ id: string }>(
        "SELECT id FROM payment_attempts WHERE invoice_id = ? AND state = 'approved'",
        clinic.crm.idOf('invoices', n),
      );
      if (attempt) return { clinic, n, attemptId: attempt.id, charge };
    }
    return null;
  }

  /** Gives back one of the payments so far, in full or in part: a void while its batch is open, a refund after that. */
  function giveBack(bills: Bill[]): void {
    const found = anyPaid(bills);
    if (!found) {
      done.gaveUp += 1;
      return;
    }
    const { clinic, n, attemptId, charge } = found;
    returned.add(`${clinic.at}/${n}`);
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
      (any) => product.reversePayment(world.deps.of(any, clinic), clinic.merchant, attemptId, request),
      (outcome) => {
        if (!(outcome instanceof Error) && outcome.kind === 'reversal') done.reversed += 1;
        else if (tries < TRIES) engine.later(10 * MINUTE, () => reverse(clinic, attemptId, chargeId, cents, tries + 1));
        else done.gaveUp += 1;
      },
    );
  }

  /** The grant is taken away in the CRM, and given again by a login after `forMs`. */
  function revoke(clinic: DayClinic, forMs: number): void {
    crm.disconnect(clinic.accountId);
    const reconnect = () =>
      ask(
        (any) => {
          const own = world.deps.of(any, clinic);
          const facts = { accountId: clinic.accountId, name: `Clinic ${clinic.at}`, domain: 'again.example' };
          const grant = { ...crm.connect(clinic.accountId), scopes: ['oauth'] };
          return product.connectAccount(own, { ...facts, timeZone: world.zoneOf(clinic) }, grant);
        },
        (result) => {
          if (result instanceof Error) engine.later(30 * SECOND, reconnect);
        },
      );
    engine.later(forMs, reconnect);
  }

  return { done, look, close, giveBack, revoke };
}
