/**
 * Rows of account ?1 from the ?2nd to before the ?3rd, the same in every database. Values repeat as they do in a
 * clinic.
 */
const numbered = 'WITH RECURSIVE g (n) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT n + 1 FROM g WHERE n < ?3 - 1)';

const FIRST = ['Marta', 'James', 'Mary', 'Robert', 'Linda', 'Ana', 'Wei', 'Noah', 'Olga', 'Ivan', 'Sofia', 'Liam'];
const LAST = ['Smith', 'Garcia', 'Miller', 'Davis', 'Lopez', 'Wilson', 'Anders', 'Thomas', 'Moore', 'Martin', 'Lee'];
const pickFrom = (names: string[], by: string) =>
  `json_extract('${JSON.stringify(names)}', '$[' || (${by} % ${names.length}) || ']')`;

const ID = '30000000 + n * 3';
const first = pickFrom(FIRST, 'n % 4000');
const last = `${pickFrom(LAST, 'n % 4000 / 12')} || iif(n % 4000 < 132, '', '-' || (n % 4000))`;

export const seedInvoices = `${numbered}
  INSERT INTO invoices (account_id, invoice_id, number, status, currency, balance_cents, billed_cents, due_date, contact_id,
    contact_first_name, contact_last_name, contact_email, company_name, created_at, modified_at, read_at)
  SELECT ?1, CAST(${ID} AS TEXT), 'INV-' || (100000 + n),
    CASE WHEN n % 100 < 38 THEN 'open' WHEN n % 100 < 94 THEN 'paid' WHEN n % 100 < 98 THEN 'draft' ELSE 'voided' END,
    'USD', iif(n % 50 = 0, NULL, iif(n % 100 < 38, n % 977 * 100, 0)), n % 1013 * 100,
    iif(n % 37 = 0, NULL, date('2023-01-01', '+' || (n * 7 % 1460) || ' days')), CAST(n % 4000 AS TEXT),
    ${first}, ${last}, 'c' || (n % 4000) || '@bench.example', iif(n % 3 = 0, 'Company ' || (n % 900), ''),
    1672531200000 + n * 1200000, 1672531200000 + n * 7919 % 100000 * 1200000, 1
  FROM g`;

export const seedContacts = `${numbered}
  INSERT INTO contacts (account_id, contact_id, first_name, last_name, email, phone, company, modified_at, read_at)
  SELECT ?1, CAST(n AS TEXT), ${first}, ${last}, 'c' || n || '@bench.example', '+1 317 555 ' || (1000 + n % 9000),
    iif(n % 3 = 0, 'Company ' || (n % 900), ''), 1, 1
  FROM g`;

export const seedAccount = `INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (?1, 'Bench', 'bench', 'UTC', 0)`;

const STEP = 5000;

/** Runs `insert` over `count` rows, in steps that fit one statement. */
export async function inSteps(count: number, insert: (from: number, to: number) => Promise<unknown> | unknown) {
  for (let from = 0; from < count; from += STEP) await insert(from, Math.min(count, from + STEP));
}
