import { useEffect, useRef } from 'react';
import { Badge } from '../ui/Badge.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { Page } from './pay-view.ts';
import type { Phase } from './phase.ts';
import { usePayWords } from './words.ts';
import '#site/styles/areas/payer/bill-lines.css';

/** From this width on, the lines are open at first, since there is room beside the form. */
const WIDE_SCREEN = '(min-width: 768px)';

/** The lines of the bill, if the business shows them. They are collapsed on a phone. */
export function BillLines({ texts, lines }: Pick<Page, 'texts' | 'lines'>) {
  const { bill: words } = usePayWords();
  const details = useRef<HTMLDetailsElement>(null);
  // CSS shows the lines from the first paint. This sets the arrow, and opens them in browsers that ignore that CSS.
  useEffect(() => {
    if (details.current && window.matchMedia(WIDE_SCREEN).matches) details.current.open = true;
  }, []);
  return (
    <details className="bill-lines" data-row="lines" ref={details}>
      <summary>
        <span>
          {words.whatIsOn} <span data-fill="lineCount">{texts.lineCount}</span>
        </span>
        <Icon name="chevronDown" size="sm" />
      </summary>
      <ul>
        {lines.map(({ name, pieces, total }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their order
          <li key={index} data-list="lines">
            <span>
              <span data-fill="name">{name}</span>{' '}
              <span className="pieces" data-fill="pieces">
                {pieces}
              </span>
            </span>
            <span className="money" data-fill="total">
              {total}
            </span>
          </li>
        ))}
      </ul>
      {texts.moreLines !== null && (
        <p className="pay-quiet" data-row="moreLines">
          <span data-fill="moreLines">{texts.moreLines}</span>
        </p>
      )}
      {texts.billed !== null && (
        <p className="bill-total" data-row="billed">
          <span>{words.total}</span>{' '}
          <span className="money" data-fill="billed">
            {texts.billed}
          </span>
        </p>
      )}
      {texts.paidBefore !== null && (
        <p className="bill-total" data-row="paidBefore">
          <span>{words.paidBefore}</span>{' '}
          <span className="money" data-fill="paidBefore">
            {texts.paidBefore}
          </span>
        </p>
      )}
    </details>
  );
}

const isPaid = (kind: Phase['kind']) => kind === 'approved' || kind === 'already-paid';

type Props = Pick<Page, 'texts' | 'lines'> & {
  kind: Phase['kind'];
  /** The formatted amount of a part that was just paid. Null if nothing was paid, or the full balance. */
  partPaid: string | null;
};

/** The amount, the due date and the invoice. They stay in place in every state of the page. */
export function Bill({ texts, lines, kind, partPaid }: Props) {
  const { form: words } = usePayWords();
  const label = isPaid(kind) ? words.amountPaid : kind === 'submitted' ? words.amount : words.amountDue;
  return (
    <aside className="bill" aria-label={words.invoice}>
      <div className="bill-head">
        <h1 className="bill-amount">
          <span className="bill-label">{label}</span>{' '}
          <span className="money" data-fill="amount">
            {partPaid ?? texts.amount}
          </span>
        </h1>
        {partPaid === null && <DueBadge due={texts.due} kind={kind} />}
      </div>
      {texts.partly !== null && !isPaid(kind) && (
        <p data-row="partly" data-fill="partly">
          {texts.partly}
        </p>
      )}
      <p className="bill-of">
        {words.invoice} <b data-fill="number">{texts.number}</b>
        {texts.billedTo !== null && (
          <span data-row="billedTo">
            , {words.billedTo} <b data-fill="billedTo">{texts.billedTo}</b>
          </span>
        )}
      </p>
      {texts.lines !== null && <BillLines texts={texts} lines={lines} />}
    </aside>
  );
}

function DueBadge({ due, kind }: { due: string | null; kind: Phase['kind'] }) {
  const { form: words } = usePayWords();
  if (isPaid(kind)) {
    return (
      <p>
        <Badge tone="ok" icon="check">
          {words.paid}
        </Badge>
      </p>
    );
  }
  if (kind === 'submitted' || due === null) return null;
  return (
    <p data-row="due">
      <Badge icon="clock">
        <span data-fill="due">{due}</span>
      </Badge>
    </p>
  );
}
