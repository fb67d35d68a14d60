import type { OpenInvoiceItem } from '../../../../shared/contracts/lists.ts';
import { notPaidOnline, ONLINE_CURRENCY } from '../../../../shared/money.ts';
import { payPath } from '../../../../shared/paths.ts';
import { Disclosure } from '../../ui/feedback/Disclosure.tsx';
import { MailButton } from '../mail/MailButton.tsx';
import { kindFor, type MailKind } from '../mail/mail-kinds.ts';
import { nameOf } from './open-invoices.ts';
import { canPick } from './picks.ts';

export type RowWays = {
  /** Id of the invoice whose mail is being sent. */
  sending: string | null;
  mail(invoice: OpenInvoiceItem, kind: MailKind): void;
  copy(invoice: OpenInvoiceItem): void;
  revoke(invoice: OpenInvoiceItem): void;
  picked: ReadonlyMap<string, number>;
  pick(invoice: OpenInvoiceItem, isPicked: boolean): void;
  /** What rows say of a mailing. */
  said: ReadonlyMap<string, string>;
};

/** The mail that fits the invoice's status; the menu has the other actions on its pay link. */
export function RowActions({ invoice, ways }: { invoice: OpenInvoiceItem; ways: RowWays }) {
  const { id, crm_id, status, currency, email, mailed, mailed_at, delivery } = invoice;
  const kind = kindFor(status);
  const name = nameOf(invoice);
  if (kind === 'pay-link' && currency !== ONLINE_CURRENCY)
    return <p className="mail-note">{notPaidOnline(currency)}</p>;
  return (
    <div className="open-actions">
      {kind === 'pay-link' && (
        <label className="open-tick">
          <input
            type="checkbox"
            checked={ways.picked.has(crm_id)}
            disabled={!canPick(invoice)}
            onChange={({ target }) => ways.pick(invoice, target.checked)}
          />
          <span className="sr-only">Select {name}</span>
        </label>
      )}
      <MailButton
        kind={kind}
        number={name}
        email={email}
        last={mailed && mailed_at ? { kind: mailed, at: mailed_at, delivery } : null}
        size="sm"
        {...(ways.said.has(crm_id) && { now: ways.said.get(crm_id) })}
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
