import { createHash } from 'node:crypto';
import { signature } from '#tests/support/content/png';
import type { PayOutcome } from '#worker/domain/payments/pay-outcome';
import type { TokenCard } from '../gateway/truth.ts';
import { partFor } from './in-parts.ts';
import type { Move } from './plan.ts';
import { bills } from './setting.ts';
import type { ShownMessage } from './story.ts';
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

/** A wallet knows the card's address. */
const NO_ADDRESS = { address: '', address2: '', city: '', state: '', zip: '' };

export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

const CLAIMS: Record<PayOutcome['kind'], ShownMessage['claim']> = {
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

/** Polling intervals of a waiting page, which grow from the first to the last (ms). */
const FIRST_POLL_MS = 2_000;
const LAST_POLL_MS = 40_000;
const MAX_WAIT_MS = 40 * 60_000;

/** `key`: the attempt key of the submission that the page waits for. */
type WaitingPage = { name: string; invoiceId: string; payer: string; key: string; until: number };

/** Payers with their pages. Tokens and forms come from a small range, so some are sent twice, from one page or two. */
export function payersOf(world: World) {
  const { engine, choices, story, product, gateway, initialRecords } = world;
  const tokens = new Map<string, string>();
  // Half of the runs measure how long payers wait; in the others the schedule must do without their pages.
  if (choices.choose('pages stay open in quiet time', false, (random) => random.chance(0.5))) story.keepPagesOpen();

  function tokenOf(name: string, card: TokenCard): string {
    const existing = tokens.get(name);
    if (existing !== undefined) return existing;
    const token = gateway.issueToken(world.web, card);
    tokens.set(name, token);
    return token;
  }

  function pay({ bill: billIndex, card, token, form = 0, showsAmount }: Move, name: string) {
    const bill = bills[billIndex];
    if (!bill) return;
    const payer = `payer of ${bill.invoiceId}`;
    const jwt = tokenOf(`${bill.invoiceId} ${card} ${token}`, card as TokenCard);
    const tokenSubject = { tokenHash: hashOf(jwt) };
    const wallet =
      card !== 'ach' &&
      choices.choose(`${name} pays with a wallet`, null, (random) =>
        random.pick([null, null, null, 'apple', 'google'] as const),
      );
    const body = {
      ...FIELDS,
      paymentDetails: jwt,
      paymentType: card === 'ach' ? ('ach' as const) : ('card' as const),
      ...(wallet && { wallet, ...NO_ADDRESS }),
      attemptId: `form-${bill.invoiceId}-${form}`,
      ...(showsAmount ? { amountShown: bill.balance } : {}),
      ...partFor(world, name, bill.invoiceId),
    };
    story.note(
      payer,
      `submits ${card === 'ach' ? 'a bank account' : `a card that ${card}`}${wallet ? ` in the wallet ${wallet}` : ''} (token ${token}, form ${form})`,
    );
    const payId = initialRecords.payIds.get(bill.invoiceId) ?? '';
    const request = { name, at: engine.now() };
    world.ask(
      name,
      (deps, waitUntil) => product.pay(deps, waitUntil, payId, body, `203.0.113.${billIndex}`),
      (outcome) => {
        const { invoiceId } = bill;
        if (outcome instanceof Error)
          story.show({ recipient: payer, invoiceId, claim: 'open', subject: null, wording: outcome.message, request });
        else showOutcome(outcome);
        const isWaiting = outcome instanceof Error || outcome.kind === 'pending';
        story.pages.push({ request: name, invoiceId, until: engine.now() + (isWaiting ? MAX_WAIT_MS : 0) });
        const page = { name, invoiceId, payer, key: body.attemptId, until: engine.now() + MAX_WAIT_MS };
        if (isWaiting) wait(page, FIRST_POLL_MS);
      },
    );

    function showOutcome(outcome: PayOutcome) {
      // Another tab of the same form may have paid with another token.
      const subject = 'attempt' in outcome ? { attemptId: outcome.attempt.id } : tokenSubject;
      const claim = CLAIMS[outcome.kind];
      const invoiceId = bill?.invoiceId ?? '';
      story.show({ recipient: payer, invoiceId, claim, subject, wording: outcome.kind, request });
      if (claim === 'not-charged' && choices.choose(`${name} tries again`, false, (random) => random.chance(0.3)))
        engine.later(3_000, () =>
          pay(
            {
              n: 0,
              at: 0,
              do: 'pay',
              bill: billIndex,
              card: 'approves',
              token: `again of ${name}`,
              showsAmount: false,
              // The page gives a failed form a new key.
              form: Number(form) + 10,
            },
            `${name}'`,
          ),
        );
    }
  }

  /** The page polls until a status ends its wait. */
  function wait(page: WaitingPage, pauseMs: number) {
    const { name, invoiceId, payer, key, until } = page;
    engine.later(pauseMs, () => {
      if (engine.now() > until || (world.course.isQuiet() && !story.pagesStayOpen())) return;
      const requestName = `${name} poll at ${engine.now()}`;
      world.ask(
        requestName,
        (deps, waitUntil) => product.poll(deps, waitUntil, initialRecords.payIds.get(invoiceId) ?? '', key),
        (status) => {
          const isOver = !(status instanceof Error) && status !== null && showStatus(status, invoiceId, payer);
          if (!isOver) wait(page, Math.min(pauseMs * 1.7, LAST_POLL_MS));
        },
      );
    });
  }

  type Status = NonNullable<Awaited<ReturnType<typeof product.poll>>>;

  /** Shows a status. Returns true if the page has its final answer. */
  function showStatus(status: Status, invoiceId: string, payer: string): boolean {
    const claim = claimOf(status);
    if (claim === 'open' || claim === 'nothing') return false;
    const since = 'since' in status ? Date.parse(status.since ?? '') : Number.NaN;
    const [attempt] = world.database.read<{ id: string }>(
      'SELECT id FROM payment_attempts WHERE invoice_id = ? AND created_at = ?',
      invoiceId,
      since,
    );
    story.show({
      recipient: payer,
      invoiceId,
      claim,
      subject: attempt ? { attemptId: attempt.id } : null,
      wording: `${status.state}, by its page`,
      request: null,
    });
    return claim !== 'submitted';
  }

  function claimOf(status: Status): ShownMessage['claim'] {
    if (status.state === 'paid') return 'paid';
    if (status.state === 'submitted') return 'submitted';
    if (status.state === 'declined' || ('notCharged' in status && status.notCharged)) return 'not-charged';
    return status.state === 'none' ? 'nothing' : 'open';
  }

  function open({ bill: billIndex }: Move, name: string) {
    const bill = bills[billIndex];
    if (!bill) return;
    story.note(`payer of ${bill.invoiceId}`, 'opens the page');
    const payId = initialRecords.payIds.get(bill.invoiceId) ?? '';
    world.ask(name, (deps, waitUntil) => product.open(deps, waitUntil, payId));
  }

  return { pay, open };
}
