import type { Db } from '../db.ts';

export type CountAndSum = { count: number; cents: number };
export type OwingCustomers = { all: number; owes: number; overdue: number };

/**
 * Totals of open invoices. The counts include all currencies, as in the lists; the sums only the supported currency.
 * `due`: invoices due today or later, or without a date. `ages`: overdue invoices by age, newest first; the last group
 * has no limit. Also the numbers of paid invoices, of all invoices, and of all, owing and overdue customers.
 */
export async function sumOwed(
  { $client }: Db,
  accountId: number,
  [today, monthAgo, twoMonthsAgo]: [today: string, month: string, twoMonths: string],
): Promise<{
  due: CountAndSum;
  ages: [CountAndSum, CountAndSum, CountAndSum];
  paid: number;
  all: number;
  customers: OwingCustomers;
}> {
  const row = await $client
    .prepare(
      `SELECT coalesce(sum(iif(age = 0, n, 0)), 0) AS n0, coalesce(sum(iif(age = 0, cents, 0)), 0) AS c0,
          coalesce(sum(iif(age = 1, n, 0)), 0) AS n1, coalesce(sum(iif(age = 1, cents, 0)), 0) AS c1,
          coalesce(sum(iif(age = 2, n, 0)), 0) AS n2, coalesce(sum(iif(age = 2, cents, 0)), 0) AS c2,
          coalesce(sum(iif(age = 3, n, 0)), 0) AS n3, coalesce(sum(iif(age = 3, cents, 0)), 0) AS c3,
          coalesce((SELECT sum(n) FROM list_counts
            WHERE account_id = ?1 AND list = 'open-invoices' AND status IN ('paid')), 0) AS paid,
          coalesce((SELECT sum(n) FROM list_counts
            WHERE account_id = ?1 AND list = 'open-invoices' AND status = '*'), 0) AS every,
          coalesce((SELECT sum(n) FROM list_counts
            WHERE account_id = ?1 AND list = 'customers' AND status = '*'), 0) AS customers,
          coalesce((SELECT sum(n) FROM owing_customers WHERE account_id = ?1), 0) AS owing,
          coalesce((SELECT sum(n) FROM owing_customers
            WHERE account_id = ?1 AND first_due > '' AND first_due < ?2), 0) AS late
        FROM (SELECT n, cents, CASE WHEN due_day = '' OR due_day >= ?2 THEN 0 WHEN due_day >= ?3 THEN 1
          WHEN due_day >= ?4 THEN 2 ELSE 3 END AS age FROM owed_totals WHERE account_id = ?1)`,
    )
    .bind(accountId, today, monthAgo, twoMonthsAgo)
    .first<Record<string, number>>();
  const sumOf = (age: number): CountAndSum => ({ count: row?.[`n${age}`] ?? 0, cents: row?.[`c${age}`] ?? 0 });
  return {
    due: sumOf(0),
    ages: [sumOf(1), sumOf(2), sumOf(3)],
    paid: row?.paid ?? 0,
    all: row?.every ?? 0,
    customers: { all: row?.customers ?? 0, owes: row?.owing ?? 0, overdue: row?.late ?? 0 },
  };
}
