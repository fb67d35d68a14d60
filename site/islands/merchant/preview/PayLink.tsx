import { useId, useState } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import type { PayLinkReply } from '#shared/contracts/payments/pay-links';
import { ONLINE_CURRENCY } from '#shared/money';
import { describeUnpayableCurrency } from '#shared/text/staff-words';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { safeLink } from '../api/addresses.ts';
import { moneyOf } from '../common/amount.ts';
import { hasRight } from '../common/app-view.ts';
import { Lazy } from '../common/Lazy.tsx';
import { useLinkBlockReason } from '../common/online-off.ts';
import { CopyLink } from '../mail/CopyLink.tsx';
import { mailKindFor } from '../mail/pay-link-or-receipt.ts';
import { createLink } from '../pay-links/open-invoices.ts';
import { RevokeLink } from '../pay-links/RevokeLink.tsx';
import { reasonNotToCollect } from './Life.tsx';
import { nameOf } from './texts.ts';

/** Loaded on demand with its library, which only this dialog and the counter need. */
const qrDialog = lazyScreen(() => import('../pay-links/QrDialog.tsx').then((code) => code.QrDialog));

/** Shows a live pay link as a QR code on request. */
export function ShowQrButton(props: { url: string; number: string; amount: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Show QR code</Button>
      {isOpen && <Lazy screen={qrDialog} props={{ ...props, onClose: () => setOpen(false) }} />}
    </>
  );
}

type Props = { invoice: InvoicePreviewReply; onChange(changes: Partial<InvoicePreviewReply>): void };

/** The payment link of an open invoice, or the receipt of a paid one. */
export function PayLink({ invoice, onChange }: Props) {
  const headingId = useId();
  const { properties, receipt_url, can_collect_again } = invoice;
  const isReceipt =
    invoice.is_deleted_in_crm || can_collect_again || mailKindFor(properties.hs_invoice_status) === 'receipt';
  // Invoices in another currency cannot be paid online.
  const isOtherCurrency = !isReceipt && properties.hs_currency !== ONLINE_CURRENCY;
  const receipt = receipt_url && safeLink(new URL(receipt_url, window.location.origin).href);
  if (isReceipt && !receipt) return null;

  return (
    <section className="preview-link screen-only" aria-labelledby={headingId}>
      <h2 id={headingId}>{isReceipt ? 'Receipt' : 'Payment link'}</h2>
      {isOtherCurrency && (
        <p className="preview-link-state">
          {describeUnpayableCurrency(properties.hs_currency)} Collect it another way, then mark it paid in HubSpot.
        </p>
      )}
      {!isReceipt && !isOtherCurrency && hasRight('collect') && (
        <LinkState invoice={invoice} onLinkChanged={(pay_link) => onChange({ pay_link })} />
      )}
      {receipt && (
        <a className="preview-receipt" href={receipt} target="_blank" rel="noopener">
          View receipt
        </a>
      )}
    </section>
  );
}

type LinkProps = { invoice: InvoicePreviewReply; onLinkChanged(link: PayLinkReply): void };

function LinkState({ invoice, onLinkChanged: onLink }: LinkProps) {
  const [isCreating, setCreating] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const { id, properties, pay_link } = invoice;
  const create = async () => {
    setCreating(true);
    const answer = await createLink(id);
    setCreating(false);
    setFailure(answer.ok ? null : answer.error.message);
    if (answer.ok) onLink(answer.value);
  };
  const isLive = pay_link !== null && Date.parse(pay_link.ends_at) > Date.now();
  const block = useLinkBlockReason() ?? reasonNotToCollect(invoice);

  return (
    <>
      <div className="preview-link-ways">
        {isLive ? (
          <>
            {!block && (
              <>
                <CopyLink url={pay_link.url} />
                <ShowQrButton
                  url={pay_link.url}
                  number={nameOf(invoice)}
                  amount={moneyOf(properties.hs_balance_due, properties.hs_currency)}
                />
              </>
            )}
            <RevokeLink
              invoice={{
                id,
                number: nameOf(invoice),
                amount: moneyOf(properties.hs_balance_due, properties.hs_currency),
              }}
              onReplaced={onLink}
            />
          </>
        ) : (
          !block && (
            <Button kind="ghost" busy={isCreating} onClick={() => void create()}>
              Create a payment link
            </Button>
          )
        )}
      </div>
      <p className="preview-link-state">{describeLink(pay_link, isLive, invoice.life)}</p>
      {failure && (
        <LateBanner tone="bad" lead="The payment link could not be created." onDismiss={() => setFailure(null)}>
          {failure}
        </LateBanner>
      )}
    </>
  );
}

function describeLink(link: PayLinkReply | null, isLive: boolean, { opened }: InvoicePreviewReply['life']): string {
  if (!link) return 'There is no payment link yet.';
  const views = !opened ? '' : opened.times === 1 ? ' Opened once.' : ` Opened ${opened.times} times.`;
  return `${isLive ? 'Works until' : 'Ended'} ${formatDay(link.ends_at)}.${views}`;
}
