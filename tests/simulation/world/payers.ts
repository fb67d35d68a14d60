import { createHash } from 'node:crypto';
import { signature } from '#tests/support/content/png';
import type { PayOutcome } from '#worker/domain/payments/pay-outcome';
import type { TokenCard } from '../gateway/truth.ts';
import { partFor } from './in-parts.ts';
import type { Move } from './plan.ts';
import { bills } from './setting.ts';
import type { Told } from './story.ts';
import type { World } from './world.ts';

const SIGNATURE = signature();
const FIELDS = {
  signature: SIGNATURE,
  signing: { kind: 'drawn' as const, words: '' },
  firstName: 'Ana',
  lastName: 'Pál',
  address: '1 Main St',
  address2: '',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  paymentDetails: '',
  accountType: undefined,
};

export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

const SAID: Record<PayOutcome['kind'], Told['said']> = {
  approved: 'paid',
  submitted: 'submitted',
  pending: 'open',
  'already-paid': 'not-charged',
  'at-the-desk': 'not-charged',
  declined: 'not-charged',
  'token-refused': 'not-charged',
  refused: 'not-charged',
  'bad-signature': 'not-charged',
  'address-missing': 'not-charged',
  'not-found': 'not-charged',
  'link-ended': 'not-charged',
  'amount-changed': 'not-charged',
  'nothing-to-pay': 'not-charged',
  'amount-unreadable': 'not-charged',
  'not-payable-online': 'not-charged',
  'too-many': 'not-charged',
  'crm-unavailable': 'not-charged',
  'gateway-unavailable': 'not-charged',
  'not-started': 'not-charged',
  paused: 'not-charged',
  closing: 'not-charged',
  frozen: 'not-charged',
  'part-refused': 'not-charged',
};

/** A page that waits asks soon, then ever more seldom (ms). */
const FIRST_POLL_MS = 2_000;
const LAST_POLL_MS = 40_000;
const PATIENCE_MS = 40 * 60_000;

/** `key`: of the press that it waits for. */
type WaitingPage = { name: string; invoiceId: string; who: string; key: string; until: number };

/** Payers with their pages. Tokens and forms are few, so that some are sent twice, from one page or from two. */
export function payersOf(world: World) {
  const { engine, choices, story, product, gateway, standing } = world;
  const tokens = new Map<string, string>();
  // Half of the runs measure how long payers wait; in the others the schedule must do without their pages.
  if (choices.choose('pages stay open in quiet time', false, (random) => random.chance(0.5))) story.keepPagesOpen();

  function tokenOf(name: string, card: TokenCard): string {
    const known = tokens.get(name);
    if (known !== undefined) return known;
    const token = gateway.issueToken(world.web, card);
    tokens.set(name, token);
    return token;
  }

  function pay({ bill: at, card, token, form = 0, showsAmount }: Move, name: string) {
    const bill = bills[at];
    if (!bill) return;
    const who = `payer of ${bill.invoiceId}`;
    const jwt = tokenOf(`${bill.invoiceId} ${card} ${token}`, card as TokenCard);
    const of = { tokenHash: hashOf(jwt) };
    const body = {
      ...FIELDS,
      paymentDetails: jwt,
      paymentType: card === 'ach' ? ('ach' as const) : ('card' as const),
      attemptId: `form-${bill.invoiceId}-${form}`,
      ...(showsAmount ? { amountShown: bill.balance } : {}),
      ...partFor(world, name, bill.invoiceId),
    };
    story.note(
      who,
      `submits ${card === 'ach' ? 'a bank account' : `a card that ${card}`} (token ${token}, form ${form})`,
    );
    const payId = standing.payIds.get(bill.invoiceId) ?? '';
    const request = { name, at: engine.now() };
    world.ask(
      name,
      (deps, goOn) => product.pay(deps, goOn, payId, body, `203.0.113.${at}`),
      (outcome) => {
        const { invoiceId } = bill;
        if (outcome instanceof Error)
          story.tell({ who, invoiceId, said: 'open', of: null, word: outcome.message, request });
        else tell(outcome);
        const isWaiting = outcome instanceof Error || outcome.kind === 'pending';
        story.pages.push({ request: name, invoiceId, until: engine.now() + (isWaiting ? PATIENCE_MS : 0) });
        const page = { name, invoiceId, who, key: body.attemptId, until: engine.now() + PATIENCE_MS };
        if (isWaiting) wait(page, FIRST_POLL_MS);
      },
    );

    function tell(outcome: PayOutcome) {
      // Another tab of the same form may have paid with another token.
      const about = 'attempt' in outcome ? { attemptId: outcome.attempt.id } : of;
      const said = SAID[outcome.kind];
      story.tell({ who, invoiceId: bill?.invoiceId ?? '', said, of: about, word: outcome.kind, request });
      if (said === 'not-charged' && choices.choose(`${name} tries again`, false, (random) => random.chance(0.3)))
        engine.later(3_000, () =>
          pay(
            {
              n: 0,
              at: 0,
              do: 'pay',
              bill: at,
              card: 'approves',
              token: `again of ${name}`,
              showsAmount: false,
              // The page gives a form that came to nothing another key.
              form: Number(form) + 10,
            },
            `${name}'`,
          ),
        );
    }
  }

  /** The page asks until it hears a word that ends its wait. */
  function wait(page: WaitingPage, pauseMs: number) {
    const { name, invoiceId, who, key, until } = page;
    engine.later(pauseMs, () => {
      if (engine.now() > until || (world.course.isQuiet() && !story.pagesStayOpen())) return;
      const asked = `${name} poll at ${engine.now()}`;
      world.ask(
        asked,
        (deps, goOn) => product.poll(deps, goOn, standing.payIds.get(invoiceId) ?? '', key),
        (status) => {
          const isOver = !(status instanceof Error) && status !== null && hear(status, invoiceId, who);
          if (!isOver) wait(page, Math.min(pauseMs * 1.7, LAST_POLL_MS));
        },
      );
    });
  }

  type Status = NonNullable<Awaited<ReturnType<typeof product.poll>>>;

  /** Tells whether the page has its answer. */
  function hear(status: Status, invoiceId: string, who: string): boolean {
    const said = saidBy(status);
    if (said === 'open' || said === 'nothing') return false;
    const since = 'since' in status ? Date.parse(status.since ?? '') : Number.NaN;
    const [attempt] = world.database.read<{ id: string }>(
      'SELECT id FROM payment_attempts WHERE invoice_id = ? AND created_at = ?',
      invoiceId,
      since,
    );
    story.tell({
      who,
      invoiceId,
      said,
      of: attempt ? { attemptId: attempt.id } : null,
      word: `${status.state}, by its page`,
      request: null,
    });
    return said !== 'submitted';
  }

  function saidBy(status: Status): Told['said'] {
    if (status.state === 'paid') return 'paid';
    if (status.state === 'submitted') return 'submitted';
    if (status.state === 'declined' || ('notCharged' in status && status.notCharged)) return 'not-charged';
    return status.state === 'none' ? 'nothing' : 'open';
  }

  function open({ bill: at }: Move, name: string) {
    const bill = bills[at];
    if (!bill) return;
    story.note(`payer of ${bill.invoiceId}`, 'opens the page');
    world.ask(name, (deps, goOn) => product.open(deps, goOn, standing.payIds.get(bill.invoiceId) ?? ''));
  }

  return { pay, open };
}
