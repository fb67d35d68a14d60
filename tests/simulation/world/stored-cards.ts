import { parseCents } from '#shared/money';
import type { Attempt } from '#worker/data/schema/schema';
import type { CardChange } from '../gateway/truth.ts';
import type { Move } from './plan.ts';
import { bills } from './setting.ts';
import type { ShownMessage } from './story.ts';
import type { World } from './world.ts';

const FIRST_PAUSE_MS = 3_000;
const LAST_PAUSE_MS = 40_000;
const MAX_WAIT_MS = 20 * 60_000;

/** Events at the provider, the issuer and the account updater. */
const CHANGES: Record<string, CardChange> = {
  'is deleted': { status: 'Deleted' },
  'is inactive': { status: 'Inactive' },
  declines: { card: 'declines' },
  fails: { card: 'fails' },
  'gets another expiry': { expDate: '0651', updateStatus: 'UPDATED' },
  'has expired': { expDate: '0126' },
};

const claimOf = ({ state }: Attempt): ShownMessage['claim'] => {
  if (['approved', 'refunded', 'voided'].includes(state)) return 'paid';
  return ['declined', 'rejected', 'not_charged'].includes(state) ? 'not-charged' : 'open';
};

/** Cards on file: staff charge and remove them, and the provider changes them. */
export function storedCardsOf(world: World) {
  const { product, story, gateway, database, engine, choices } = world;
  const { merchant } = world.initialRecords;
  const actor = 'staff';

  /** A card of the invoice's customer, or sometimes another customer's, as after a wrong press. */
  function cardFor(billIndex: number, name: string): string | undefined {
    const cards = database.read<{ id: string; contact: string }>(
      'SELECT id, contact_id AS contact FROM stored_cards ORDER BY ended_at IS NOT NULL, consent_at DESC, id',
    );
    const isOthers = choices.choose(`${name} takes another customer's card`, false, (random) => random.chance(0.1));
    return (
      (isOthers ? undefined : cards.find(({ contact }) => contact === bills[billIndex]?.contactId))?.id ?? cards[0]?.id
    );
  }

  /** The amount that the screen proposes, or another one that staff type. */
  function centsFor(billIndex: number, name: string): number {
    const bill = bills[billIndex];
    const [row] = database.read<{ cents: number | null }>(
      'SELECT balance_cents AS cents FROM invoices WHERE invoice_id = ?',
      bill?.invoiceId ?? '',
    );
    const proposed = row?.cents ?? parseCents(bill?.balance) ?? 100;
    return choices.choose(`${name} asks for`, Math.max(1, proposed), (random) =>
      random.chance(0.2) ? random.pick([100, 2_500, 6_000, 9_000]) : Math.max(1, proposed),
    );
  }

  function charge({ bill, form }: Move, name: string) {
    const { invoiceId = '' } = bills[bill] ?? {};
    const cardId = cardFor(bill, name);
    if (!cardId) return;
    const body = { invoiceId, amountCents: centsFor(bill, name), key: `card-${invoiceId}-${form}` };
    story.note(actor, `charges a card on file for ${invoiceId}: ${body.amountCents} cents (form ${form})`);
    send(name, cardId, body, FIRST_PAUSE_MS, engine.now() + MAX_WAIT_MS);
  }

  type Body = { invoiceId: string; amountCents: number; key: string };

  /** The screen repeats the call with the same key until it has a final outcome. */
  function send(name: string, cardId: string, body: Body, pauseMs: number, until: number) {
    world.ask(
      name,
      (deps) => product.chargeStoredCard(deps, merchant, cardId, body),
      (outcome) => {
        const attempt = !(outcome instanceof Error) && outcome.kind === 'charge' ? outcome.attempt : null;
        const isRefused = !(outcome instanceof Error) && outcome.kind !== 'charge';
        const claim = attempt ? claimOf(attempt) : isRefused ? 'not-charged' : 'open';
        story.show({
          recipient: actor,
          invoiceId: body.invoiceId,
          claim,
          subject: attempt ? { attemptId: attempt.id } : { attemptKey: body.key, invoiceId: body.invoiceId },
          wording: outcome instanceof Error ? outcome.message : attempt ? `card ${attempt.state}` : outcome.kind,
          request: null,
        });
        if (claim === 'open')
          engine.later(pauseMs, () => {
            if (engine.now() > until || world.course.isQuiet()) return;
            send(`${name} again at ${engine.now()}`, cardId, body, Math.min(pauseMs * 1.7, LAST_PAUSE_MS), until);
          });
      },
    );
  }

  return {
    'charge-card': charge,

    'remove-card'({ bill }: Move, name: string) {
      const cardId = cardFor(bill, name);
      if (!cardId) return;
      const [row] = database.read<{ key: string }>('SELECT remove_key AS key FROM stored_cards WHERE id = ?', cardId);
      const isPayer = choices.choose(`${name} is the payer's act`, false, (random) => random.chance(0.5));
      story.note(isPayer ? 'a payer' : actor, `removes a card on file of ${bills[bill]?.invoiceId}`);
      world.ask(
        name,
        async (deps) =>
          isPayer
            ? (await product.removeCardByPayer(deps, row?.key ?? '')) !== null
            : product.removeCardByStaff(deps, merchant, cardId),
        (answer) => {
          if (answer === true) story.feature('card removed', bills[bill]?.invoiceId ?? '');
        },
      );
    },

    'change-card'({ bill }: Move, name: string) {
      const cardId = cardFor(bill, name);
      const token = gateway.truth().charges.find(({ orderId, storedAs }) => orderId === cardId && storedAs)?.storedAs;
      const change = choices.choose(`${name} to a card that`, 'is deleted', (random) =>
        random.pick(Object.keys(CHANGES)),
      );
      if (!token || !gateway.byHand.changeCard(token, CHANGES[change] ?? {})) return;
      story.note('the provider', `has a card on file that ${change}`);
    },
  };
}
