import { operator } from '#shared/operator';
import { exportTables, notExported } from '#worker/data/operate/tables';
import type { ArchiveKind } from '#worker/data/schema/leaving';

const CAPABILITY = 'an address that opens something by itself; a restore makes new ones';

/** Columns that no archive has, and those that stay with the installation when the clinic takes its records along. */
const COLUMNS: Record<string, string> = {
  'accounts.restored_at': 'when this very database was put back',
  'accounts.closes_at': 'whether the account closes: one that is put back does not',
  'merchants.signup_url': CAPABILITY,
  'payment_attempts.pay_id': CAPABILITY,
  'payment_attempts.receipt_id': CAPABILITY,
  'outbox.details': 'values for mails, among them sealed links and codes; who got which mail when is there',
  'terminals.api_key': 'a secret of the card provider, who sends it anew',
  'payment_attempts.ip_key': 'a payer’s network address as a hash, for limits of an hour',
};

/** The columns of a table that an archive of this kind does not have. */
export const withoutIn = (
  kind: ArchiveKind,
  { without = [], ours = [] }: { without?: readonly string[]; ours?: readonly string[] },
) => (kind === 'clinic' ? [...without, ...ours] : without);

/** What of a clinic an archive does not hold, with the reason. */
export function leftOutOf(kind: ArchiveKind): Record<string, string> {
  const columns = exportTables.flatMap((table) => withoutIn(kind, table).map((name) => `${table.name}.${name}`));
  return { ...notExported, ...Object.fromEntries(columns.map((name) => [name, COLUMNS[name] ?? CAPABILITY])) };
}

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
