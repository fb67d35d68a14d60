import type { InvoicePreviewReply } from '#shared/contracts/preview';
import { ONLINE_CURRENCY } from '#shared/money';

/** What to press next, which is the one green button; null: nothing is next, or the line shows what goes on. */
export function nextStepOf(invoice: InvoicePreviewReply): 'mail' | 'take' | 'check' | null {
  const { life, properties, email, bad_address } = invoice;
  if (life.undecided) return life.undecided.state === 'sent' ? null : 'check';
  if (properties.hs_invoice_status !== 'open' || properties.hs_currency !== ONLINE_CURRENCY) return null;
  return email && !bad_address ? 'mail' : 'take';
}
