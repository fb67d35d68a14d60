import type { ComponentProps, ReactNode } from 'react';
import type { OpenInvoiceItem } from '#shared/contracts/lists';
import type { MailButton } from '../mail/MailButton.tsx';
import type { MailKind } from '../mail/mail-kinds.ts';

/** What comes to the rows with the code of mailings. */
export type RowMarks = {
  tick(invoice: OpenInvoiceItem): ReactNode;
  /** In the head: picks all rows of the page. */
  pickPage: ReactNode;
  /** Of a tab that has no rows. */
  empty: ReactNode;
  /** What its mails came to, or what a mailing does about it now. */
  lastEmail(invoice: OpenInvoiceItem): ReactNode;
  /** The button of an address at which mail may not arrive; null: nothing speaks against it. */
  careful(invoice: OpenInvoiceItem, button: ComponentProps<typeof MailButton>): ReactNode;
};

/** What our own calls tell of a row before it is read again. */
export type Known = Partial<Pick<OpenInvoiceItem, 'id' | 'last_email' | 'link_ends_at'>>;

export type RowWays = {
  /** Id of the invoice whose mail is being sent. */
  sending: string | null;
  mail(invoice: OpenInvoiceItem, kind: MailKind): void;
  /** Shows what outlives the menu of a row, such as a dialog. */
  show(part: ReactNode): void;
  know(id: string, part: Known): void;
  marks: RowMarks | null;
};
