import { parseCents } from '#shared/money';
import { heldCents } from '../gateway/truth.ts';
import { ACCOUNT, bills } from '../world/setting.ts';
import type { World } from '../world/world.ts';
import { readScene, type Scene } from './scene.ts';

/** Compares the screens in quiet time with the money that the gateway holds for each invoice, and with each other. */

type Page = Awaited<ReturnType<World['product']['open']>>;

/** Alerts for contradictions between the product's own sums. */
const CONTRADICTIONS = ['daily-sums-differ', 'invoice-balances-differ'];

export async function wrongFigures(world: World, step: () => Promise<boolean>): Promise<string[]> {
  const scene = readScene(world);
  const contradictions = CONTRADICTIONS.filter((event) => world.story.alerts.has(event));
  const violations = contradictions.map((event) => `F: alert ${event}`);
  const ask = screenReader(world, step);
  let keptCents: number | null = 0;
  for (const { invoiceId } of bills) {
    const invoiceCents = keptOf(scene, invoiceId);
    if (invoiceCents === null) {
      if (scene.attempts.some((attempt) => attempt.invoice_id === invoiceId)) keptCents = null;
      continue;
    }
    if (keptCents !== null) keptCents += invoiceCents;
    const payId = world.initialRecords.payIds.get(invoiceId) ?? '';
    const page = await ask(`page of ${invoiceId}`, (deps, waitUntil) => world.product.open(deps, waitUntil, payId));
    violations.push(...wrongPage(world, scene, invoiceId, invoiceCents, page));
  }
  const analytics = await ask('analytics', (deps) => world.product.viewAnalytics(deps, ACCOUNT, 'month'));
  for (const { date, amount } of analytics.dailyPayments) {
    const takings = await ask(`takings of ${date}`, (deps) => world.product.viewTakings(deps, ACCOUNT, date));
    const [sheetCents, chartCents] = [parseCents(takings?.net ?? ''), Math.round(amount * 100)];
    if (sheetCents !== chartCents)
      violations.push(`F: takings of ${date} are ${sheetCents} on the sheet and ${chartCents} in the chart`);
  }
  const charted = analytics.dailyPayments.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
  if (keptCents !== null && charted !== keptCents)
    violations.push(`F: the chart shows ${charted} in total, and the gateway keeps ${keptCents}`);
  return violations;
}

/** Requests a screen and steps until it responds; there are no other moves. */
function screenReader(world: World, step: () => Promise<boolean>) {
  return async <T>(name: string, work: Parameters<typeof world.ask<T>>[1]): Promise<T> => {
    const answers: (T | Error)[] = [];
    world.engine.later(0, () => world.ask(`${name} at the end`, work, (answer) => answers.push(answer)));
    while (answers.length === 0 && (await step()));
    const [answer] = answers;
    if (answer === undefined) throw new Error(`${name} was not answered`);
    if (answer instanceof Error) throw answer;
    return answer;
  };
}

/** Cents that the gateway keeps of an invoice; null if some of it is undecided or was decided by a person. */
function keptOf(scene: Scene, invoiceId: string): number | null {
  const { attempts, reversals, resolved, truth, requestedAttempts } = scene;
  const invoiceAttempts = attempts.filter((attempt) => attempt.invoice_id === invoiceId);
  const ids = new Set(invoiceAttempts.map(({ id }) => id));
  const isOpen = invoiceAttempts.some(({ id, state }) => UNDECIDED.includes(state) || resolved.has(id));
  const isInReview = reversals.some(({ attempt_id, state }) => ids.has(attempt_id) && state === 'needs_human');
  if (invoiceAttempts.length === 0 || isOpen || isInReview) return null;
  const charges = truth.charges.filter(({ orderId }) => requestedAttempts.get(orderId ?? '')?.invoice_id === invoiceId);
  if (charges.some(({ copyOf }) => copyOf !== null)) return null;
  return charges.reduce((sum, charge) => sum + heldCents(charge), 0);
}

const UNDECIDED = ['sent', 'unknown', 'pending', 'needs_human'];

/** A page requests the base less the money kept; an invoice paid in full is not due again while money is kept. */
function wrongPage(
  { crm }: World,
  { invoices, collections }: Scene,
  invoiceId: string,
  keptCents: number,
  page: Page,
): string[] {
  const row = invoices.find(({ invoice_id }) => invoice_id === invoiceId);
  const partCollection = collections.find(({ invoice_id, n }) => invoice_id === invoiceId && n === row?.collection);
  if (page.kind === 'paid') {
    const record = crm.truth().invoices.find((candidate) => candidate.invoiceId === invoiceId);
    const isPaid = keptCents > 0 || record?.history.at(-1)?.status === 'paid';
    return isPaid ? [] : [`F: the page of ${invoiceId} says paid, and no money is kept`];
  }
  if (page.kind !== 'ready') return [];
  const due = parseCents(page.view.invoice.amountDue ?? '');
  const owed = partCollection ? partCollection.paid_before_cents + partCollection.base_cents - keptCents : null;
  if (owed === null)
    return keptCents > 0 ? [`F: the page of ${invoiceId} requests ${due}, and ${keptCents} are kept`] : [];
  return due === owed ? [] : [`F: the page of ${invoiceId} requests ${due}, and ${owed} are owed`];
}
