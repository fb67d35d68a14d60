import { useEffect, useState } from 'react';
import type { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { payPath } from '#shared/paths';
import { lazyScreen, preload } from '#site/islands/ui/routing/lazy-screen.ts';
import { appUrl } from '../api/addresses.ts';
import { moneyOf } from '../common/amount.ts';
import { hasRight } from '../common/app-view.ts';
import { Lazy } from '../common/Lazy.tsx';
import { useLinkBlockReason } from '../common/online-off.ts';
import { copyLink } from '../mail/CopyLink.tsx';
import { nameOf, type RowHandlers } from './open-invoices.ts';

/** Loaded on demand, since links are rarely revoked. */
const revokeDialog = lazyScreen(() => import('./RevokeLink.tsx').then((code) => code.RevokeDialog));

type Props = { invoice: OpenInvoiceItem; handlers: RowHandlers; close(): void };

/** The menu with further actions on a row's pay link. */
export function RowMenu({ invoice, handlers, close }: Props) {
  const [isRefused, setRefused] = useState(false);
  useEffect(() => preload(revokeDialog), []);
  const isBlocked = useLinkBlockReason() !== null;
  const url = `${appUrl()}${payPath(invoice.id)}`;
  const copy = async () => ((await copyLink(url)) ? close() : setRefused(true));
  const mailToOtherAddress = () => {
    close();
    handlers.mail(invoice, 'pay-link', { isElsewhere: true });
  };
  const revoke = () => {
    close();
    handlers.show(<LazyRevokeDialog invoice={invoice} handlers={handlers} />);
  };
  return (
    <>
      {!isBlocked && (
        <button type="button" onClick={() => void copy()}>
          Copy link
        </button>
      )}
      <a href={payPath(invoice.id)} target="_blank" rel="noopener">
        Open payment page
        <span className="sr-only">(opens in a new tab)</span>
      </a>
      {hasRight('configure') && !isBlocked && (
        <button type="button" onClick={mailToOtherAddress}>
          Email to another address
        </button>
      )}
      <button type="button" className="menu-apart" onClick={revoke}>
        Revoke link
      </button>
      {/* This message is last, so that it does not move the items of the menu. */}
      {isRefused && (
        <p role="alert" className="open-refused">
          Your browser does not allow copying here. Please copy the address yourself:{' '}
          <span className="open-address">{url}</span>
        </p>
      )}
    </>
  );
}

function LazyRevokeDialog({ invoice, handlers }: Omit<Props, 'close'>) {
  const { crm_id, amount_due, currency } = invoice;
  return (
    <Lazy
      screen={revokeDialog}
      props={{
        invoice: { id: crm_id, number: nameOf(invoice), amount: moneyOf(amount_due, currency) },
        onReplaced: ({ id, ends_at }) => handlers.update(crm_id, { id, link_ends_at: ends_at }),
        onClose: () => handlers.show(null),
      }}
    />
  );
}
