import { parseCents } from '#shared/money';
import { heldCents } from '../gateway/truth.ts';
import { ACCOUNT, bills } from '../world/setting.ts';
import type { World } from '../world/world.ts';
import { look, type Scene } from './scene.ts';

/** Compares the screens in quiet time with the money that the gateway keeps of each invoice, and with one another. */

type Page = Awaited<ReturnType<World['product']['open']>>;

/** Alerts for contradictions between our own sums. */
const CONTRADICTIONS = ['daily-sums-differ', 'invoice-balances-differ'];

export async function wrongFigures(world: World, step: () => Promise<boolean>): Promise<string[]> {
  const scene = look(world);
  const wrong = CONTRADICTIONS.filter((event) => world.story.alerts.has(event)).map((event) => `F: alert ${event}`);
  const ask = askedOf(world, step);
  let keptCents: number | null = 0;
  for (const { invoiceId } of bills) {
    const kept = keptOf(scene, invoiceId);
    if (kept === null) {
      if (scene.attempts.some((attempt) => attempt.invoice_id === invoiceId)) keptCents = null;
      continue;
    }
    if (keptCents !== null) keptCents += kept;
    const payId = world.standing.payIds.get(invoiceId) ?? '';
    const page = await ask(`page of ${invoiceId}`, (deps, goOn) => world.product.open(deps, goOn, payId));
    wrong.push(...wrongPage(world, scene, invoiceId, kept, page));
  }
  const analytics = await ask('analytics', (deps) => world.product.viewAnalytics(deps, ACCOUNT, 'month'));
  for (const { date, amount } of analytics.dailyPayments) {
    const takings = await ask(`takings of ${date}`, (deps) => world.product.viewTakings(deps, ACCOUNT, date));
    const [shown, charted] = [parseCents(takings?.net ?? ''), Math.round(amount * 100)];
    if (shown !== charted) wrong.push(`F: ${date} took ${shown} by its sheet and ${charted} by the chart`);
  }
  const charted = analytics.dailyPayments.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  if (keptCents !== null && charted !== keptCents)
    wrong.push(`F: all days took ${charted} by the chart, and the gateway keeps ${keptCents}`);
  return wrong;
}

/** Requests a screen and steps until it responds; there are no other moves. */
function askedOf(world: World, step: () => Promise<boolean>) {
  return async <T>(name: string, work: Parameters<typeof world.ask<T>>[1]): Promise<T> => {
    const heard: (T | Error)[] = [];
    world.engine.later(0, () => world.ask(`${name} at the end`, work, (answer) => heard.push(answer)));
    while (heard.length === 0 && (await step()));
    const [answer] = heard;
    if (answer === undefined) throw new Error(`${name} is not answered`);
    if (answer instanceof Error) throw answer;
    return answer;
  };
}

/** Cents that the gateway keeps of an invoice; null if some of it is undecided or was decided by a person. */
function keptOf({ attempts, reversals, resolved, truth, asked }: Scene, invoiceId: string): number | null {
  const own = attempts.filter((attempt) => attempt.invoice_id === invoiceId);
  const ids = new Set(own.map(({ id }) => id));
  const isOpen = own.some(({ id, state }) => UNDECIDED.includes(state) || resolved.has(id));
  if (own.length === 0 || isOpen || reversals.some((one) => ids.has(one.attempt_id) && one.state === 'needs_human'))
    return null;
  const charges = truth.charges.filter(({ orderId }) => asked.get(orderId ?? '')?.invoice_id === invoiceId);
  if (charges.some(({ copyOf }) => copyOf !== null)) return null;
  return charges.reduce((sum, charge) => sum + heldCents(charge), 0);
}

const UNDECIDED = ['sent', 'unknown', 'pending', 'needs_human'];

/** A page asks for the base less the money kept; an invoice paid whole is not due again while any money is kept. */
function wrongPage(
  { crm }: World,
  { invoices, collections }: Scene,
  invoiceId: string,
  kept: number,
  page: Page,
): string[] {
  const row = invoices.find((one) => one.invoice_id === invoiceId);
  const inParts = collections.find((one) => one.invoice_id === invoiceId && one.n === row?.collection);
  if (page.kind === 'paid') {
    const record = crm.truth().invoices.find((one) => one.invoiceId === invoiceId);
    const isPaid = kept > 0 || record?.history.at(-1)?.status === 'paid';
    return isPaid ? [] : [`F: the page of ${invoiceId} says paid, and nothing is kept`];
  }
  if (page.kind !== 'ready') return [];
  const due = parseCents(page.view.invoice.amountDue ?? '');
  const owed = inParts ? inParts.paid_before_cents + inParts.base_cents - kept : null;
  if (owed === null) return kept > 0 ? [`F: the page of ${invoiceId} asks for ${due}, and ${kept} are kept`] : [];
  return due === owed ? [] : [`F: the page of ${invoiceId} asks for ${due}, and ${owed} are owed`];
}
