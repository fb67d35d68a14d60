import { Life } from './life/Life.tsx';
import '#site/styles/parts/table/skeleton.css';

const WIDTHS = ['90%', '75%', '60%', '80%'];
const bars = WIDTHS.map((width) => <span key={width} className="skeleton" style={{ width }} />);

/** Where the parts of an invoice will be. */
export function Skeleton() {
  return (
    <>
      <div className="preview-top">
        <p role="status" className="app-quiet preview-owed">
          Loading invoice...
        </p>
        <div className="preview-next preview-next-empty" />
      </div>
      <Life invoice={null} />
      <div className="preview-body" aria-hidden="true">
        <div className="preview-side">{bars}</div>
        <div className="preview-main">
          <div className="card preview-sheet preview-sheet-empty">{bars}</div>
        </div>
      </div>
    </>
  );
}
