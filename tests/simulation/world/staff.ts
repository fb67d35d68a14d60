import { parseCents } from '#shared/money';
import { partFor } from './in-parts.ts';
import type { Move } from './plan.ts';
import { bills, DESK, WEB } from './setting.ts';
import type { World } from './world.ts';

/** Time for which an unplugged reader stays offline. */
const UNPLUGGED_MS = 30_000;

type Row = { id: string; state: string; amount_cents: number };

/** Staff of the clinic, using the product's screens. They act on the data that the screens show. */
export function staffOf(world: World) {
  const { product, story, gateway, database, engine } = world;
  const { merchant } = world.initialRecords;
  const actor = 'staff';

  const newest = (invoiceId: string, states: string[]): Row | undefined =>
    database.read<Row>(
      `SELECT id, state, amount_cents FROM payment_attempts WHERE invoice_id = ?
       AND state IN (${states.map(() => '?').join(', ')}) ORDER BY created_at DESC, id LIMIT 1`,
      invoiceId,
      ...states,
    )[0];

  const noteAnswer = (topic: string) => (answer: unknown) => {
    const kind = answer instanceof Error ? answer.message : ((answer as { kind?: string } | null)?.kind ?? 'done');
    story.note(actor, `is told about ${topic}: ${kind}`);
  };

  function reverse(kind: 'void' | 'refund', { bill, cents, form }: Move, name: string) {
    const { invoiceId = '' } = bills[bill] ?? {};
    const attempt = newest(invoiceId, ['approved']);
    if (!attempt) return;
    story.note(actor, `asks for a ${kind} of ${invoiceId}`);
    const request = {
      kind,
      amountCents: kind === 'void' ? null : Math.min(Number(cents), attempt.amount_cents),
      reason: 'asked at the desk',
      requestKey: `wish-${attempt.id}-${kind}-${form}`,
    };
    world.ask(name, (deps) => product.reversePayment(deps, merchant, attempt.id, request), noteAnswer(`the ${kind}`));
  }

  function sell({ bill, tap, form }: Move, name: string) {
    const { invoiceId = '' } = bills[bill] ?? {};
    story.note(actor, `starts ${invoiceId} on the card reader (its customer will: ${tap})`);
    world.beginAct(name);
    if (tap === 'unplugged') {
      gateway.setReader(DESK, 'offline');
      engine.later(UNPLUGGED_MS, () => gateway.setReader(DESK, 'online'));
    } else gateway.atReader(DESK, tap as 'tap');
    world.ask(
      name,
      (deps, waitUntil) =>
        product.sellAtDesk(deps, waitUntil, merchant, DESK, {
          invoiceId,
          attemptId: `desk-${invoiceId}-${form}`,
          ...partFor(world, name, invoiceId),
        }),
      (outcome) => {
        noteAnswer('the sale')(outcome);
        const sale = outcome instanceof Error || outcome.kind !== 'started' ? null : outcome.counter.sale.attempt.id;
        if (sale) watch(sale, invoiceId, name, 3_000, engine.now() + 20 * 60_000);
      },
    );
  }

  /** The screen polls until the sale has ended. */
  function watch(saleId: string, invoiceId: string, name: string, pauseMs: number, until: number) {
    engine.later(pauseMs, () => {
      if (engine.now() > until || world.course.isQuiet()) return;
      world.ask(
        `${name} watch at ${engine.now()}`,
        (deps, waitUntil) => product.watchDesk(deps, waitUntil, merchant, saleId),
        (sale) => {
          const state = sale instanceof Error || sale === null ? 'waiting' : sale.state;
          if (['waiting', 'unknown'].includes(state))
            return watch(saleId, invoiceId, name, Math.min(pauseMs * 1.7, 40_000), until);
          const claim =
            state === 'approved'
              ? 'paid'
              : ['declined', 'cancelled', 'timed-out', 'not-charged', 'refused', 'busy', 'offline'].includes(state)
                ? 'not-charged'
                : 'open';
          story.show({
            recipient: actor,
            invoiceId,
            claim,
            subject: { attemptId: saleId },
            wording: `${state}, by the screen`,
            request: null,
          });
        },
      );
    });
  }

  function resolve({ bill, verdict }: Move, name: string) {
    const { invoiceId = '' } = bills[bill] ?? {};
    const attempt = newest(invoiceId, ['needs_human']);
    if (!attempt) return;
    story.note(actor, `says of the payment of ${invoiceId}: ${verdict}`);
    const decision = { verdict: verdict as 'charged' | 'not-charged', note: 'looked it up' };
    world.ask(name, (deps) => product.resolvePayment(deps, merchant, attempt.id, decision), noteAnswer('the decision'));
  }

  function resolveReversal({ bill, verdict }: Move, name: string) {
    const [reversal] = database.read<{ id: string }>(
      "SELECT id FROM reversals WHERE invoice_id = ? AND state = 'needs_human'",
      bills[bill]?.invoiceId ?? '',
    );
    if (!reversal) return;
    const decision = { verdict: verdict === 'charged' ? 'happened' : 'not-happened', note: 'looked it up' } as const;
    story.note(actor, `says of a reversal: ${decision.verdict}`);
    world.ask(
      name,
      (deps) => product.resolveReversal(deps, merchant, reversal.id, decision),
      noteAnswer('the decision'),
    );
  }

  const isFrozen = (invoiceId: string) =>
    database.read("SELECT 1 FROM collections WHERE invoice_id = ? AND state = 'frozen'", invoiceId).length > 0;

  /** Decides by the amount that the screen showed a moment before. */
  function decideOwed(invoiceId: string, verdict: 'contains' | 'lacks', name: string) {
    story.note(actor, `says what is owed of ${invoiceId}: ${verdict}`);
    world.ask(
      name,
      async (deps) => {
        const decision = (await product.viewParts(deps, merchant, invoiceId))?.decision;
        const owedShown = parseCents(decision?.[verdict]) ?? 0;
        return product.decideParts(deps, merchant, invoiceId, { verdict, owedShown });
      },
      noteAnswer('what is owed'),
    );
  }

  function close({ isNamed, tap }: Move, name: string) {
    const terminalId = tap === 'tap' ? WEB : DESK;
    const open = gateway.truth().batches.find((batch) => batch.terminalId === terminalId && batch.status === 'OPEN');
    story.note(actor, `closes the batch of ${terminalId}`);
    const batchId = isNamed ? (open?.id ?? null) : null;
    world.ask(name, (deps) => product.closeBatch(deps, merchant, terminalId, batchId), noteAnswer('the close'));
  }

  return {
    refund: (move: Move, name: string) => reverse('refund', move, name),
    void: (move: Move, name: string) => reverse('void', move, name),
    sell,
    resolve,
    'resolve-reversal': resolveReversal,
    close,
    reopen({ bill, verdict }: Move, name: string) {
      const { invoiceId = '' } = bills[bill] ?? {};
      if (isFrozen(invoiceId)) return decideOwed(invoiceId, verdict === 'charged' ? 'contains' : 'lacks', name);
      story.note(actor, `opens ${invoiceId} again`);
      world.ask(
        name,
        (deps) => product.reopenInvoice(deps, merchant, invoiceId),
        (answer) => {
          noteAnswer('the reopening')(answer);
          if (!(answer instanceof Error) && answer.kind === 'open') story.feature('reopening', invoiceId);
        },
      );
    },
    reconcile(_move: Move, name: string) {
      story.note(actor, 'reconciles now');
      world.ask(name, async (deps) => {
        await product.reconcileAccount(deps, merchant.accountId, 'card');
        await product.reconcileAccount(deps, merchant.accountId, 'ach');
      });
    },
  };
}
