// An open invoice in SQL: the rule of `invoiceBalance`, in the words of the partial indexes, so that a query can use them.
// `row`: the table's alias with its dot, or nothing.

/** Not settled in our books, and open in the CRM. */
export const isOpen = (row = '') => `${row}local_status = 'none' AND ${row}status = 'open'`;

/** Open, in dollars, and the CRM names no amount that can be read. */
export const isUnreadable = (row = '') =>
  `${isOpen(row)} AND ${row}currency = 'USD' AND ${row}balance_cents IS NULL AND ${row}collection_base_cents IS NULL`;

/** Open, and with something left to pay. */
export const isOwed = (row = '') => `${isOpen(row)} AND ${row}balance_cents > 0`;
