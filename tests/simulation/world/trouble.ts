import { type Charge, heldCents } from '../gateway/truth.ts';
import { mailFaults } from '../mail/mail.ts';
import type { Move } from './plan.ts';
import { ACCOUNT, bills, DESK, settings, WEB, WEBHOOK_PATH } from './setting.ts';
import type { World } from './world.ts';

/** External faults, and acts of people at the provider and in the CRM that the product is not notified of. */
export function troubleOf(world: World) {
  const { story, gateway, crm, mail, engine, isolates, database } = world;

  /** The newest charge of an invoice at the gateway that is not fully refunded or voided. */
  const chargeOf = ({ bill }: Move) => {
    const { invoiceId } = bills[bill] ?? {};
    const isOwn = ({ orderId }: Charge) => world.invoiceOf(orderId) === invoiceId;
    return gateway.truth().charges.findLast((charge) => isOwn(charge) && heldCents(charge) > 0);
  };

  const actByHand = (fault: string, act: () => unknown) => {
    const isDone = act();
    if (isDone) world.fault(fault);
    story.note("the provider's pages", `${fault}: ${isDone ? 'done' : 'refused'}`);
  };

  return {
    'void-by-hand'(move: Move) {
      const charge = chargeOf(move);
      if (charge) actByHand('void-by-hand', () => gateway.byHand.void(charge.id));
    },
    'refund-by-hand'(move: Move) {
      const charge = chargeOf(move);
      if (charge)
        actByHand('refund-by-hand', () =>
          gateway.byHand.refund(charge.id, Math.min(Number(move.cents), heldCents(charge))),
        );
    },
    'close-by-hand': (move: Move) =>
      actByHand('close-by-hand', () => gateway.byHand.closeBatch(move.tap === 'tap' ? WEB : DESK)),
    'sale-by-hand'({ bill, cents, isNamed }: Move) {
      const key = `${bills[bill]?.number}-1`;
      actByHand('sale-by-hand', () => gateway.byHand.sale(WEB, Number(cents), isNamed ? key : undefined));
    },
    'return-debit'(move: Move) {
      const invoiceCharge = chargeOf(move);
      const isDebit = (charge: Charge) => charge.method === 'ach' && heldCents(charge) > 0;
      const charge = invoiceCharge?.method === 'ach' ? invoiceCharge : gateway.truth().charges.findLast(isDebit);
      if (charge) actByHand('return-debit', () => gateway.byHand.returnDebit(charge.id));
    },
    'edit-balance'({ bill, balance, status }: Move) {
      const newBalance = balance === 'none' ? null : String(balance);
      world.fault('balance-edited');
      story.feature('CRM edit', bills[bill]?.invoiceId ?? '');
      story.note('the CRM', `${bills[bill]?.invoiceId} now ${status}, balance ${newBalance}`);
      crm.edit(ACCOUNT, bills[bill]?.invoiceId ?? '', { balance: newBalance, status: status as 'open' });
    },
    crash({ isolate }: Move) {
      const crashed = isolates[Number(isolate)];
      if (!crashed) return;
      world.fault('crash');
      world.crash(crashed);
    },
    /** A reset as after a deployment or a hardware failure. */
    'object-resets'() {
      world.fault('object-resets');
      world.clinic.reset();
    },
    /** One Worker runs the newer version from now on; the object does so from its next life on, which may start now. */
    deploy({ isolate, isNamed }: Move) {
      const worker = isolates[Number(isolate)];
      if (!worker) return;
      world.fault('deploy');
      story.note(worker.name, 'runs a newer version');
      world.deploy(worker);
      world.clinic.deploy();
      if (isNamed) world.clinic.reset();
    },
    'clock-jumps'({ jumpMs }: Move) {
      world.fault('clock-jumps');
      story.note('the clock', `jumps ${Number(jumpMs) / 1000} s`);
      story.startOutage('clock', engine.now() + Number(jumpMs));
      engine.jump(Number(jumpMs));
    },
    'gateway-silent'({ forMs, isNamed }: Move) {
      world.fault('gateway-silent');
      story.note('gateway', `${isNamed ? 'is out of order' : 'answers nothing'} for ${Number(forMs) / 1000} s`);
      story.startOutage('silence', engine.now() + Number(forMs));
      world.trouble.silence = { until: engine.now() + Number(forMs), as: isNamed ? '500-before' : 'request-lost' };
    },
    /** Look-ups respond with unknown words; lists may still be readable. */
    'gateway-mumbles'({ forMs, readsLists = false }: Move) {
      world.fault('gateway-mumbles');
      const calls = readsLists ? 'look-ups of one payment' : 'look-ups';
      story.note('gateway', `answers ${calls} in unknown words for ${Number(forMs) / 1000} s`);
      const until = Math.max(world.trouble.unreadable.until, engine.now() + Number(forMs));
      world.trouble.unreadable = { until, readsLists: readsLists === true };
      story.startOutage('unreadable', until);
    },
    'crm-down'({ forMs, isNamed }: Move) {
      world.fault('crm-down');
      story.note('the CRM', 'is down');
      crm.fail('records', isNamed ? '500' : '401', { ms: Number(forMs) });
    },
    'mail-down'({ forMs, token }: Move) {
      world.fault('mail-down');
      story.note('the mail service', 'is down');
      // A mail that the service refuses as invalid is given up for good, so 422 is excluded.
      const faults = mailFaults.filter((fault) => fault !== '422');
      mail.fail(faults[Number(token) % faults.length] ?? '500', { ms: Number(forMs) });
    },
    /** A webhook from a stranger who knows the address; its transaction may be another's or unknown. */
    'forged-webhook'({ bill, cents, isNamed }: Move, name: string) {
      world.fault('forged-webhook');
      const [attempt] = database.read<{ id: string }>(
        'SELECT id FROM payment_attempts WHERE invoice_id = ? ORDER BY created_at DESC LIMIT 1',
        bills[bill]?.invoiceId ?? '',
      );
      const transaction = {
        id: '100000001',
        type: 'SALE',
        result: 'APPROVED',
        amount: (Number(cents) / 100).toFixed(2),
        'order-id': isNamed ? (attempt?.id ?? 'none') : 'none',
        'terminal-id': WEB,
      };
      const body = JSON.stringify({ payload: { transaction } });
      story.note('a stranger', 'sends a webhook');
      const url = new URL(`${settings.APP_URL}${WEBHOOK_PATH}`);
      world.deliver({ method: 'POST', url, headers: new Headers(), body }, name);
    },
  };
}
