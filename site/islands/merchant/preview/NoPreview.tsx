import { AppLink } from '#site/islands/ui/routing/router.tsx';
import '#site/styles/parts/feedback/notice.css';
import { InvoiceTimeline } from './Life.tsx';
import '#site/styles/parts/table/skeleton.css';

export function MissingInvoice() {
  return (
    <div className="notice">
      <svg className="drawing" aria-hidden="true" viewBox="0 0 160 96" fill="none" strokeLinecap="round">
        <path d="M12 70h44a20 20 0 0 0 20-20V40" stroke="var(--line)" strokeWidth="5" />
        <circle cx="12" cy="70" r="6" fill="var(--brand)" />
        <path d="M76 40a20 20 0 0 1 20-20h36" stroke="var(--control)" strokeWidth="5" strokeDasharray=".1 11" />
        <circle cx="144" cy="20" r="8" fill="var(--surface)" stroke="var(--control)" strokeWidth="4" />
      </svg>
      <p>No invoice data available.</p>
      <p>It may have been deleted in HubSpot, or the address is wrong.</p>
      <AppLink href="/invoices" className="button button-secondary">
        Go to the invoices
      </AppLink>
    </div>
  );
}

const BAR_WIDTHS = ['90%', '75%', '60%', '80%'];
const placeholderBars = BAR_WIDTHS.map((width) => <span key={width} className="skeleton" style={{ width }} />);

/** The placeholder of an invoice while it loads. */
export function Skeleton() {
  return (
    <>
      <div className="preview-top">
        <p role="status" className="app-quiet preview-owed">
          Loading invoice...
        </p>
        <div className="preview-next preview-next-empty" />
      </div>
      <InvoiceTimeline invoice={null} />
      <div className="preview-body" aria-hidden="true">
        <div className="preview-side">{placeholderBars}</div>
        <div className="preview-main">
          <div className="card preview-sheet preview-sheet-empty">{placeholderBars}</div>
        </div>
      </div>
    </>
  );
}
