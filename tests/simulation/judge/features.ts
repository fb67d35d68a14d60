import { areExclusive, FEATURES } from '../features.ts';
import type { Feature } from '../world/story.ts';
import type { World } from '../world/world.ts';

/** The payment features that a run reached, from the story and from the vendors' records. */
export function featuresOf(world: World): Feature[] {
  const { charges, reversals } = world.gateway.truth();
  const features = new Map<string, Feature>();
  const add = (name: string, invoiceId: string | null) =>
    void features.set(`${name} ${invoiceId}`, { name, invoiceId });
  for (const { name, invoiceId } of world.story.features) add(name, invoiceId);
  for (const { invoiceId } of world.crm.truth().payments) add('recorded in the CRM', invoiceId);
  if (world.day !== null) add(world.day, null);
  const invoices = new Map(charges.map((charge) => [charge.id, world.invoiceOf(charge.orderId)]));
  for (const charge of charges) {
    const attempt = world.requestedAttempts.get(charge.orderId ?? '');
    if (!attempt || charge.state === 'declined') continue;
    const invoiceId = attempt.invoice_id;
    add(
      charge.method === 'terminal' ? 'paid at the desk' : charge.method === 'ach' ? 'bank debit' : 'paid online',
      invoiceId,
    );
    if (charge.at >= attempt.hold_until) add('late charge', invoiceId);
    if (attempt.isInstallment) add('installment paid', invoiceId);
    if (charge.method !== 'ach') continue;
    if (charge.state === 'returned')
      add(charge.settledAt === null ? 'debit returned' : 'settled debit returned', invoiceId);
    else if (charge.unusualEnd !== null) add(`debit ${charge.unusualEnd}`, invoiceId);
  }
  for (const { ofId, kind, by, state, amountCents } of reversals) {
    const charge = charges.find(({ id }) => id === ofId);
    const invoiceId = invoices.get(ofId);
    if (!invoiceId || !charge) continue;
    if (state === 'voided') add('refund voided', invoiceId);
    if (state !== 'approved') continue;
    const isPart = kind === 'refund' && amountCents < charge.amountCents;
    add(`${isPart ? 'refund in part' : kind}${by === 'person' ? ' by hand' : ''}`, invoiceId);
  }
  return [...features.values()];
}

/** Number of runs that reached each feature, and each pair of them at one invoice (`a + b`). */
export function featureCounts(runs: Feature[][]): Map<string, number> {
  const counts = new Map<string, number>();
  const pairs = FEATURES.flatMap((a, index) => FEATURES.slice(index + 1).map((b) => [a, b] as const));
  for (const name of FEATURES) counts.set(name, 0);
  for (const [a, b] of pairs) if (!areExclusive(a, b)) counts.set(`${a} + ${b}`, 0);
  const increment = (name: string) => counts.has(name) && counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const run of runs) {
    const byName = Map.groupBy(run, ({ name }) => name);
    const invoicesOf = (name: string) => new Set(byName.get(name)?.map(({ invoiceId }) => invoiceId));
    for (const name of byName.keys()) increment(name);
    for (const [a, b] of pairs) {
      const [first, second] = [invoicesOf(a), invoicesOf(b)];
      if (first.size === 0 || second.size === 0) continue;
      if (first.has(null) || second.has(null) || [...first].some((invoice) => second.has(invoice)))
        increment(`${a} + ${b}`);
    }
  }
  return counts;
}
