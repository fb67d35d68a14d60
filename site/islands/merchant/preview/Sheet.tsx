import type { Ref } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import type { SignatureHandle } from '#site/islands/ui/form/SignaturePad.tsx';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { NOT_AVAILABLE } from '../common/amount.ts';
import { FooterText } from './FooterText.tsx';
import { shortDay } from './Life.tsx';
import { LineItems } from './LineItems.tsx';
import { Signature, type useSignature } from './Signature.tsx';
import { billingGrid, clinicOf } from './texts.ts';

type Props = {
  invoice: InvoicePreviewReply;
  isCopy: boolean;
  signing: ReturnType<typeof useSignature>;
  pad: Ref<SignatureHandle>;
  onFooterSaved(text: string): void;
};

const SIGNING_VERBS = { typed: 'typed', drawn: 'drew a signature', ticked: 'ticked' };

/** Returns for example "The payer ticked “I am Ivy Whitfield and sign this payment”, Nov 20, 2026, 10:39 AM." */
function describeSigning({ kind, words, at }: NonNullable<InvoicePreviewReply['payer_signature']>): string {
  const signing = kind === 'drawn' ? SIGNING_VERBS.drawn : `${SIGNING_VERBS[kind]} “${words}”`;
  return `The payer ${signing}, ${formatWhen(at)}.`;
}

/** Explains why there are no lines. The stored copy of an invoice never has any. */
function noLinesText({ is_deleted_in_crm }: InvoicePreviewReply, isCopy: boolean): string {
  if (is_deleted_in_crm) return 'HubSpot no longer has the line items.';
  return isCopy ? 'Line items are not available while HubSpot is not answering.' : 'No line items in HubSpot';
}

/** The invoice in its printed form. */
export function InvoiceSheet({ invoice, isCopy, signing, pad, onFooterSaved: onFooter }: Props) {
  const { properties, lineItemData, lines_match, footer_text, can_edit_footer, signature_saved_at, payer_signature } =
    invoice;
  const { hs_number, hs_amount_billed, hs_currency } = properties;
  const clinic = clinicOf(properties);
  return (
    <article className="card preview-sheet" aria-label="Invoice">
      <header className="preview-clinic">
        <div>
          <h2>{clinic.name}</h2>
          <p className="preview-address">{clinic.address}</p>
          <p>{clinic.phone}</p>
        </div>
        <p className="preview-number">Invoice {hs_number || NOT_AVAILABLE}</p>
      </header>
      <dl className="preview-grid">
        {billingGrid(properties).map(({ label, value, isCode }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className={isCode ? 'code' : undefined}>{value}</dd>
          </div>
        ))}
      </dl>
      <LineItems
        lineItemData={lineItemData}
        lines_match={lines_match}
        billed={hs_amount_billed}
        currency={hs_currency}
        noLinesText={noLinesText(invoice, isCopy)}
      />
      <FooterText text={footer_text} canEdit={can_edit_footer} onSaved={onFooter} />
      <details className="preview-fold" open={signing.saving.kind === 'unsigned' || undefined}>
        <summary>
          <b>Signature</b>{' '}
          {signature_saved_at
            ? `${properties.customer_name || 'signed'}, ${shortDay(signature_saved_at)}`
            : payer_signature
              ? `by the payer, ${shortDay(payer_signature.at)}`
              : 'not signed'}
          <Icon name="chevronDown" size="sm" />
        </summary>
        {payer_signature && <p>{describeSigning(payer_signature)}</p>}
        <Signature signing={signing} pad={pad} />
      </details>
    </article>
  );
}
