import type { Table } from './row.ts';
import { tableOfContent } from './table-of-content.ts';
import { tableOfMoney } from './table-of-money.ts';
import { tableOfOperator } from './table-of-operator.ts';
import { tableOfPayers } from './table-of-payers.ts';
import { tableOfStaff } from './table-of-staff.ts';

/** What each route takes and answers. */
export const table: Table = {
  ...tableOfPayers,
  ...tableOfMoney,
  ...tableOfStaff,
  ...tableOfContent,
  ...tableOfOperator,
};

/** Schemas of contracts that are no request and no answer of their own, each with what it is. */
export const spared: Record<string, string> = {
  Edited: 'the fields that a post and a page have in common; both are described whole',
  RevisionText: 'what a page reads of a RevisionDetail',
  TestLinkSent: 'what a page reads of a SendMailReply',
};
