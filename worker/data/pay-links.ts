import { and, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { type Db, named } from './db.ts';
import { crmTokens, hubs, invoices, payLinks, terminals } from './schema.ts';

/** One link with all that a page or a payment needs to know about it, in one read. */
export const selectPayable = (db: Db, payId: string) =>
  db
    .select({
      link: named(payLinks, 'link'),
      hub: named(hubs, 'hub'),
      invoice: named(invoices, 'invoice'),
      terminal: named(terminals, 'terminal'),
      tokens: named(crmTokens, 'tokens'),
    })
    .from(payLinks)
    .innerJoin(hubs, eq(hubs.hubId, payLinks.hubId))
    .innerJoin(invoices, and(eq(invoices.hubId, payLinks.hubId), eq(invoices.invoiceId, payLinks.invoiceId)))
    .leftJoin(
      terminals,
      and(
        eq(terminals.hubId, payLinks.hubId),
        // The e-commerce terminal takes pay-page payments; a merchant without one uses any that a browser can talk to.
        eq(
          terminals.terminalId,
          sql`(SELECT terminal_id FROM terminals WHERE hub_id = ${payLinks.hubId} AND public_key <> ''
               ORDER BY channel = 'ecommerce' DESC, terminal_id LIMIT 1)`,
        ),
      ),
    )
    .leftJoin(crmTokens, eq(crmTokens.hubId, payLinks.hubId))
    .where(eq(payLinks.payId, payId));

type PayableRow = Awaited<ReturnType<typeof selectPayable>>[number];

export type Payable = Omit<PayableRow, 'terminal' | 'tokens'> & {
  terminal: PayableRow['terminal'] | null;
  tokens: PayableRow['tokens'] | null;
};

/** A left join that found nothing comes as an object of nulls. */
export const payableFrom = (row: PayableRow | undefined): Payable | undefined =>
  row && {
    ...row,
    terminal: row.terminal.terminalId === null ? null : row.terminal,
    tokens: row.tokens.hubId === null ? null : row.tokens,
  };

/** The live link of an invoice that has not ended yet, if there is one. */
export async function findLiveLink(db: Db, hubId: number, invoiceId: string, now: number) {
  const link = await db.query.payLinks.findFirst({
    where: and(eq(payLinks.hubId, hubId), eq(payLinks.invoiceId, invoiceId), eq(payLinks.state, 'live')),
  });
  return link && link.endsAt > now ? link : undefined;
}

/** Replace whatever link the invoice had by a new one, in one transaction; the old one becomes `revoked` or `ended`. */
export async function replaceLink(db: Db, link: typeof payLinks.$inferInsert, oldBecomes: 'revoked' | 'ended') {
  await db.batch([
    db
      .update(payLinks)
      .set({ state: oldBecomes })
      .where(and(eq(payLinks.hubId, link.hubId), eq(payLinks.invoiceId, link.invoiceId), eq(payLinks.state, 'live'))),
    db.insert(payLinks).values(link),
  ]);
}

export async function extendLink(db: Db, payId: string, endsAt: number) {
  await db.update(payLinks).set({ endsAt }).where(eq(payLinks.payId, payId));
}

/** Links of a hub whose invoice our last copy shows as payable by card, newest first. */
export const listPayableLinks = (db: Db, hubId: number, now: number) =>
  db
    .select({ payId: payLinks.payId, invoiceId: payLinks.invoiceId })
    .from(payLinks)
    .innerJoin(invoices, and(eq(invoices.hubId, payLinks.hubId), eq(invoices.invoiceId, payLinks.invoiceId)))
    .where(
      and(
        eq(payLinks.hubId, hubId),
        eq(payLinks.state, 'live'),
        gt(payLinks.endsAt, now),
        eq(invoices.status, 'open'),
        eq(invoices.currency, 'USD'),
        gt(invoices.balanceCents, 0),
        eq(invoices.overlay, 'none'),
        ne(invoices.contactEmail, ''),
      ),
    )
    .orderBy(desc(payLinks.issuedAt), payLinks.payId);
