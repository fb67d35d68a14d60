import { Badge } from '../ui/Badge.tsx';
import type { Page } from './pay-view.ts';
import type { Phase } from './phase.ts';
import { WhatIsOn } from './WhatIsOn.tsx';
import { usePayWords } from './words.ts';

const isPaid = (kind: Phase['kind']) => kind === 'approved' || kind === 'already-paid';

type Props = Pick<Page, 'texts' | 'lines'> & {
  kind: Phase['kind'];
  /** Of an invoice in parts, the part that was just paid: the invoice itself is not paid by it. */
  partPaid: string | null;
};

/** What is owed, by whom and until when. It stays in its place in every state of the page. */
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
        {partPaid === null && <Due due={texts.due} kind={kind} />}
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
      {texts.lines !== null && <WhatIsOn texts={texts} lines={lines} />}
    </aside>
  );
}

function Due({ due, kind }: { due: string | null; kind: Phase['kind'] }) {
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
