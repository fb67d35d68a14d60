import { useEffect, useRef } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { ONLINE_CURRENCY } from '#shared/money';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { Toasts } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import type { SignatureHandle } from '#site/islands/ui/form/SignaturePad.tsx';
import { formatTime, formatWhen } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink, navigate, usePath } from '#site/islands/ui/routing/router.tsx';
import { hasRight } from '../common/app-view.ts';
import { InvoiceStatus } from '../common/InvoiceStatus.tsx';
import { Lazy } from '../common/Lazy.tsx';
import { RequireRight } from '../common/RequireRight.tsx';
import { Actions } from './Actions.tsx';
import { Emails, Reminders } from './Emails.tsx';
import { InvoiceTimeline } from './Life.tsx';
import { MoneyBox, Refunds } from './MoneyBox.tsx';
import { MissingInvoice, Skeleton } from './NoPreview.tsx';
import { PayLink } from './PayLink.tsx';
import { InvoiceSheet } from './Sheet.tsx';
import { SIGNATURE_ID, useSignature } from './Signature.tsx';
import { AmountSummary } from './Sum.tsx';
import { nameOf } from './texts.ts';
import { type Load, usePreview } from './use-preview.ts';
import '#site/styles/areas/merchant/preview/preview.css';
import '#site/styles/areas/merchant/preview/preview-around.css';

/** Goes back within this site. If the visitor came from another site, goes to `fallbackPath`. */
export function goBack(fallbackPath: string): void {
  // Without the Navigation API, it is unknown whether the previous page belongs to this site.
  const canGoBack = window.navigation ? window.navigation.canGoBack : window.history.length > 1;
  if (canGoBack) window.history.back();
  else navigate(fallbackPath);
}

/** The invoice whose id is the last part of the path. */
export function InvoicePreview() {
  const id = usePath().split('/').at(-1) ?? '';
  return <Preview key={id} id={id} />;
}

function Preview({ id }: { id: string }) {
  const { load, isReading: isLoading, reload, change } = usePreview(id);
  const number = load.kind === 'loaded' ? nameOf(load.invoice) : 'Invoice';

  return (
    <div className="preview" aria-busy={load.kind === 'loading' || undefined}>
      <AppLink href="/invoices" className="preview-back screen-only">
        <Icon name="previous" size="sm" />
        Invoices
      </AppLink>
      <div className="preview-head">
        <h1 tabIndex={-1}>{number}</h1>
        {load.kind === 'loaded' && (
          <InvoiceStatus
            status={load.invoice.properties.hs_invoice_status}
            balance={load.invoice.properties.hs_balance_due}
            due={load.invoice.properties.hs_due_date}
            refunded={load.invoice.life.refunded}
            partPaid={load.invoice.parts.paid}
            isUndecided={(load.invoice.life.undecided?.state ?? 'sent') !== 'sent'}
          />
        )}
      </div>
      <Notice load={load} isLoading={isLoading} onRetry={() => void reload()} />
      {load.kind === 'loaded' && (
        <InvoiceDetails invoice={load.invoice} isCopy={load.isStale} onChange={change} onReload={() => void reload()} />
      )}
      <Toasts />
    </div>
  );
}

type NoticeProps = { load: Load; isLoading: boolean; onRetry(): void };

function Notice({ load, isLoading: isReading, onRetry }: NoticeProps) {
  const retry = (
    <button type="button" className="text-button" aria-disabled={isReading || undefined} onClick={onRetry}>
      Retry
    </button>
  );
  if (load.kind === 'loading') {
    return <Skeleton />;
  }
  if (load.kind === 'missing') return <MissingInvoice />;
  if (load.kind === 'failed') {
    return (
      <Banner tone="warn" lead="The invoice could not be loaded." actions={retry}>
        {load.message} Last try {formatTime(load.at)}.
      </Banner>
    );
  }
  if (load.invoice.is_deleted_in_crm) {
    return (
      <Banner tone="warn" lead="HubSpot no longer has this invoice.">
        Its payments stay here and can still be voided or refunded, and their receipts emailed. No further payment can
        be taken.
      </Banner>
    );
  }
  if (!load.isStale) return null;
  return (
    <LateBanner tone="warn" lead="HubSpot is not answering." actions={retry}>
      {load.asOf ? `Showing data from ${formatWhen(load.asOf)}.` : 'Showing the last copy.'} No payment can be taken and
      no email sent until it answers: press Retry.
    </LateBanner>
  );
}

type DetailsProps = {
  invoice: InvoicePreviewReply;
  isCopy: boolean;
  onChange(changes: Partial<InvoicePreviewReply>): void;
  onReload(): void;
};

const inParts = lazyScreen(() => import('../installments/InParts.tsx').then((code) => code.PartialPayments));

/** True if the invoice is paid in parts, or if this user may allow payment in parts. */
const hasParts = ({ parts, properties }: InvoicePreviewReply) =>
  parts.base !== null ||
  (parts.is_on &&
    hasRight('configure') &&
    properties.hs_invoice_status === 'open' &&
    properties.hs_currency === ONLINE_CURRENCY);

function InvoiceDetails({ invoice, isCopy, onChange, onReload }: DetailsProps) {
  const { id, signature_saved_at, is_deleted_in_crm: isDeleted } = invoice;
  const pad = useRef<SignatureHandle>(null);
  const signing = useSignature(pad, {
    id,
    number: nameOf(invoice),
    savedAt: signature_saved_at,
    isPaid: invoice.life.payments.length > 0 || invoice.properties.hs_invoice_status === 'paid',
    onSaved: (at) => onChange({ signature_saved_at: at }),
  });
  const { saving } = signing;
  useEffect(() => {
    if (saving.kind === 'unsigned') document.getElementById(SIGNATURE_ID)?.focus();
  }, [saving.kind]);

  return (
    <>
      <div className="preview-top">
        <AmountSummary invoice={invoice} />
        <Actions invoice={invoice} isCopy={isCopy} onChange={onChange} onReload={onReload} />
      </div>
      <InvoiceTimeline invoice={invoice} />
      <div className="preview-body">
        <div className="preview-side screen-only">
          <MoneyBox invoice={invoice} />
          <Refunds invoice={invoice} />
          {!isDeleted && hasParts(invoice) && <Lazy screen={inParts} props={{ invoice, onChanged: onReload }} />}
          <PayLink invoice={invoice} onChange={onChange} />
          <Emails invoice={invoice} />
          {!isDeleted && invoice.properties.hs_invoice_status === 'open' && <Reminders invoice={invoice} />}
        </div>
        <div className="preview-main">
          <InvoiceSheet
            invoice={invoice}
            isCopy={isCopy}
            signing={signing}
            pad={pad}
            onFooterSaved={(footer_text) => onChange({ footer_text })}
          />
          {saving.kind === 'failed' && (
            <LateBanner tone="bad" lead="The signature was not saved.">
              {saving.message}
            </LateBanner>
          )}
          <div className="preview-actions screen-only">
            <p role="status" className="app-quiet">
              {saving.kind === 'saved' && signature_saved_at && `Signature saved ${formatWhen(signature_saved_at)}`}
            </p>
            <Button onClick={() => goBack('/invoices')}>Cancel</Button>
            <RequireRight right="collect" action="save signatures">
              <Button
                kind={signing.isNew ? 'primary' : 'secondary'}
                busy={saving.kind === 'saving'}
                onClick={() => void signing.save()}
              >
                Save Invoice
              </Button>
            </RequireRight>
          </div>
        </div>
      </div>
    </>
  );
}
