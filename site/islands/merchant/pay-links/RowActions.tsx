import type { ReactNode } from 'react';
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
  /** What a row says of a mailing, by the CRM's id. */
  said: ReadonlyMap<string, string>;
};

export type RowWays = {
  /** Id of the invoice whose mail is being sent. */
  sending: string | null;
  mail(invoice: OpenInvoiceItem, kind: MailKind): void;
  copy(invoice: OpenInvoiceItem): void;
  revoke(invoice: OpenInvoiceItem): void;
  marks: RowMarks | null;
};

/** The mail that fits the invoice's status; the menu has the other actions on its pay link. */
export function RowActions({ invoice, ways }: { invoice: OpenInvoiceItem; ways: RowWays }) {
  const { id, crm_id, status, currency, email, mailed, mailed_at, delivery } = invoice;
  const kind = kindFor(status);
  const now = ways.marks?.said.get(crm_id);
  const name = nameOf(invoice);
  if (kind === 'pay-link' && currency !== ONLINE_CURRENCY)
    return <p className="mail-note">{notPaidOnline(currency)}</p>;
  return (
    <div className="open-actions">
      {kind === 'pay-link' && <span className="open-tick">{ways.marks?.tick(invoice)}</span>}
      <MailButton
        kind={kind}
        number={name}
        email={email}
        last={mailed && mailed_at ? { kind: mailed, at: mailed_at, delivery } : null}
        size="sm"
        {...(now && { now })}
        busy={ways.sending === crm_id}
        onSend={() => ways.mail(invoice, kind)}
      />
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
