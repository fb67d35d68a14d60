import { cannotMeet, FEATURES } from '../features.ts';
import type { Feature } from '../world/story.ts';
import type { World } from '../world/world.ts';

/** Of what people did, and of what the vendors hold: the features of money that came about in a run. */
export function featuresOf(world: World): Feature[] {
  const { charges, reversals } = world.gateway.truth();
  const found = new Map<string, Feature>();
  const add = (name: string, invoiceId: string | null) => void found.set(`${name} ${invoiceId}`, { name, invoiceId });
  for (const { name, invoiceId } of world.story.features) add(name, invoiceId);
  for (const { invoiceId } of world.crm.truth().payments) add('recorded in the CRM', invoiceId);
  if (world.day !== null) add(world.day, null);
  const invoices = new Map(charges.map((charge) => [charge.id, world.invoiceOf(charge.orderId)]));
  for (const charge of charges) {
    const attempt = world.asked.get(charge.orderId ?? '');
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
    else if (charge.oddEnd !== null) add(`debit ${charge.oddEnd}`, invoiceId);
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
  return [...found.values()];
}

/** How many runs met each feature, and each pair of them at one invoice: `a + b`. */
export function featureCounts(runs: Feature[][]): Map<string, number> {
  const counts = new Map<string, number>();
  const pairs = FEATURES.flatMap((a, at) => FEATURES.slice(at + 1).map((b) => [a, b] as const));
  for (const name of FEATURES) counts.set(name, 0);
  for (const [a, b] of pairs) if (!cannotMeet(a, b)) counts.set(`${a} + ${b}`, 0);
  const met = (name: string) => counts.has(name) && counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const run of runs) {
    const at = Map.groupBy(run, ({ name }) => name);
    const places = (name: string) => new Set(at.get(name)?.map(({ invoiceId }) => invoiceId));
    for (const name of at.keys()) met(name);
    for (const [a, b] of pairs) {
      const [first, second] = [places(a), places(b)];
      if (first.size === 0 || second.size === 0) continue;
      if (first.has(null) || second.has(null) || [...first].some((invoice) => second.has(invoice))) met(`${a} + ${b}`);
    }
  }
  return counts;
}
