import type { ComponentProps, ReactNode } from 'react';
import type { OpenInvoiceItem } from '../../../../shared/contracts/lists.ts';
import { notPaidOnline, ONLINE_CURRENCY } from '../../../../shared/money.ts';
import { payPath } from '../../../../shared/paths.ts';
import { Disclosure } from '../../ui/feedback/Disclosure.tsx';
import { MailButton } from '../mail/MailButton.tsx';
import { kindFor, type MailKind } from '../mail/mail-kinds.ts';
import { nameOf } from './open-invoices.ts';

/** What comes to the rows with the code of mailings. */
export type RowMarks = {
  tick(invoice: OpenInvoiceItem): ReactNode;
  /** What its mails came to, or what a mailing does about it now. */
  lastEmail(invoice: OpenInvoiceItem): ReactNode;
  /** The button of an address at which mail may not arrive. */
  careful(invoice: OpenInvoiceItem, button: ComponentProps<typeof MailButton>): ReactNode;
};

export type RowWays = {
  /** Id of the invoice whose mail is being sent. */
  sending: string | null;
  mail(invoice: OpenInvoiceItem, kind: MailKind): void;
  copy(invoice: OpenInvoiceItem): void;
  revoke(invoice: OpenInvoiceItem): void;
  marks: RowMarks | null;
};

const isInDoubt = ({ bad_address, last_email }: OpenInvoiceItem) =>
  bad_address ?? /bounced|failed/.test(last_email?.delivery ?? '');

/** The mail that fits the invoice's status; the menu has the other actions on its pay link. */
export function RowActions({ invoice, ways }: { invoice: OpenInvoiceItem; ways: RowWays }) {
  const { id, crm_id, status, currency, email, bad_address } = invoice;
  const kind = kindFor(status);
  const name = nameOf(invoice);
  if (kind === 'pay-link' && currency !== ONLINE_CURRENCY)
    return <p className="mail-note">{notPaidOnline(currency)}</p>;
  const button: ComponentProps<typeof MailButton> = {
    ...{ kind, number: name, email, size: 'sm', busy: ways.sending === crm_id },
    ...(bad_address && { off: 'No mail arrives' }),
    onSend: () => ways.mail(invoice, kind),
  };
  return (
    <div className="open-actions">
      {kind === 'pay-link' && <span className="open-tick">{ways.marks?.tick(invoice)}</span>}
      {(isInDoubt(invoice) && ways.marks?.careful(invoice, button)) || <MailButton {...button} />}
      {kind === 'pay-link' && id && (
        <Disclosure label={<span className="sr-only">Pay link of {name}</span>} align="end" size="sm" isMenu>
          {(close) => (
            <>
              <button
                type="button"
                onClick={() => {
                  close();
                  ways.copy(invoice);
                }}
              >
                Copy link
              </button>
              <a href={payPath(id)} target="_blank" rel="noopener">
                Open pay page
                <span className="sr-only">(opens in a new tab)</span>
              </a>
              <button
                type="button"
                className="menu-last"
                onClick={() => {
                  close();
                  ways.revoke(invoice);
                }}
              >
                Revoke link
              </button>
            </>
          )}
        </Disclosure>
      )}
    </div>
  );
}
