import type { ComponentProps } from 'react';
import type { OpenInvoiceItem } from '#shared/contracts/lists';
import { ONLINE_CURRENCY } from '#shared/money';
import { notPaidOnline } from '#shared/words/amount-words';
import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { MailButton } from '../mail/MailButton.tsx';
import { kindFor } from '../mail/mail-kinds.ts';
import { Lazy } from '../parts/Lazy.tsx';
import { nameOf } from './open-invoices.ts';
import type { RowWays } from './row-ways.ts';

/** Loaded before it is opened, so the rows do not wait for it. */
export const rowMenu = lazyScreen(() => import('./RowMenu.tsx').then((code) => code.RowMenu));

/** The mail that fits the invoice's status; the menu has the other actions on its pay link. */
export function RowActions({ invoice, ways }: { invoice: OpenInvoiceItem; ways: RowWays }) {
  const { id, crm_id, status, currency, email, bad_address } = invoice;
  const kind = kindFor(status);
  const name = nameOf(invoice);
  if (kind === 'pay-link' && currency !== ONLINE_CURRENCY)
    return <p className="mail-note">{notPaidOnline(currency)}</p>;
  const button: ComponentProps<typeof MailButton> = {
    ...{ kind, number: name, email, size: 'sm', busy: ways.sending === crm_id },
    onSend: () => ways.mail(invoice, kind),
  };
  return (
    <div className="open-actions">
      {kind === 'pay-link' && <span className="open-tick">{ways.marks?.tick(invoice)}</span>}
      {ways.marks?.careful(invoice, button) ?? (
        <MailButton {...button} {...(bad_address && { off: 'No mail arrives' })} />
      )}
      {kind === 'pay-link' && id && (
        <Disclosure label={<span className="sr-only">Pay link of {name}</span>} align="end" size="sm" isMenu>
          {(close) => <Lazy of={rowMenu} props={{ invoice, ways, close }} />}
        </Disclosure>
      )}
    </div>
  );
}
