import type { ReceiptRows } from '#worker/data/mail/receipts';

type Entry = ReceiptRows['entries'][number];
export type Given = Entry & { kind: 'refund' | 'void' | 'return' };

const isGiven = (entry: Entry): entry is Given => entry.kind !== 'payment';

/** What went back of a payment. A refund that was corrected since, as one that was voided, counts as it stands now. */
export function givenBackOf(entries: Entry[]): Given[] {
  const given = entries.filter(isGiven);
  const corrects = (entry: Given, refund: Given) =>
    entry.kind === 'refund' && refund.kind === 'refund' && entry.providerTxnId.startsWith(`${refund.providerTxnId}-`);
  return given
    .filter((entry) => !given.some((refund) => corrects(entry, refund)))
    .map((refund) => {
      const corrections = given.filter((entry) => corrects(entry, refund));
      return {
        ...refund,
        amountCents: corrections.reduce((sum, { amountCents }) => sum + amountCents, refund.amountCents),
      };
    })
    .filter(({ amountCents }) => amountCents !== 0);
}
