/**
 * SQL: the name of the business of an account's row, as `businessName` chooses it: the trading name once the business
 * has applied under it, or else the name of its CRM account. `account`: the name of the row's table.
 */
export const businessNameIn = (account: string): string =>
  `coalesce((SELECT b.name FROM merchants b WHERE b.account_id = ${account}.account_id AND b.status <> 'applying'), ${account}.name)`;
