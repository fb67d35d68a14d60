import { operator } from '#shared/operator';

/** The first file of an archive, for whoever opens it. */
export const readMe = (business: string): string => `All records of ${business} in ${operator.name}.

tables/      one text for each 500 rows, a row per line as JSON. Money is in cents, times are milliseconds since
             1970-01-01 UTC. invoices, contacts and companies are copies of the CRM; payment_attempts are payments and
             tries, ledger the money that moved, reversals voids and refunds, outbox the mails, audit_events the trail of
             who did what with its seals in audit_seals.
signatures/  pictures, named by payment_attempts.signature_key and invoice_signatures.image_key
receipts/    the receipt of each payment, by the number of its invoice
files/       the SHA-256 of each picture and receipt
manifest.json  rows of each table, the SHA-256 of each text, and what is left out, with the reason

It holds what patients and payers told: names, addresses, amounts, signatures. Keep it as you keep your books.
${operator.name} can put it back only as it is: do not change a byte of it.
`;
