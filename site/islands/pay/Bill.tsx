import { mailHref, telHref } from '../../../shared/contact.ts';
import { Badge } from '../ui/Badge.tsx';
import type { PayPageFill } from './pay-view.ts';
import type { Phase } from './phase.ts';
import '../../styles/parts/page/contact.css';
import '../../styles/parts/table/rows.css';

/** The bill and the business's contact. It stays in its place in every state of the page. */
export function Bill({ texts, kind }: { texts: PayPageFill; kind: Phase['kind'] }) {
  const paid = kind === 'approved' || kind === 'already-paid';
  const label = paid ? 'Amount paid' : kind === 'submitted' ? 'Amount' : 'Amount due';
  return (
    <aside className="bill" aria-label="Invoice">
      <h1 className="bill-amount">
        <span className="bill-label">{label}</span>{' '}
        <span className="money" data-fill="amount">
          {texts.amount}
        </span>
      </h1>
      {paid && (
        <p>
          <Badge tone="ok" icon="check">
            Paid
          </Badge>
        </p>
      )}
      {!paid && kind !== 'submitted' && texts.due !== null && (
        <p data-row="due">
          <Badge icon="clock">
            <span data-fill="due">{texts.due}</span>
          </Badge>
        </p>
      )}
      <dl className="rows">
        <div>
          <dt>Invoice</dt>
          <dd data-fill="number">{texts.number}</dd>
        </div>
        {texts.customer !== null && (
          <div data-row="customer">
            <dt>Customer</dt>
            <dd data-fill="customer">{texts.customer}</dd>
          </div>
        )}
        {texts.company !== null && (
          <div data-row="company">
            <dt>Company</dt>
            <dd data-fill="company">{texts.company}</dd>
          </div>
        )}
      </dl>
      <div className="contact">
        <p className="contact-lead">Questions about this bill?</p>
        {texts.phone !== null && (
          <p data-row="phone">
            <a data-href="tel" data-fill="phone" href={telHref(texts.phone)}>
              {texts.phone}
            </a>
          </p>
        )}
        {texts.email !== null && (
          <p data-row="email">
            <a data-href="mail" data-fill="email" href={mailHref(texts.email)}>
              {texts.email}
            </a>
          </p>
        )}
      </div>
    </aside>
  );
}
