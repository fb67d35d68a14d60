import { useEffect, useRef } from 'react';
import { Icon } from '../ui/Icon.tsx';
import type { Page } from './pay-view.ts';
import { usePayWords } from './words.ts';
import '#site/styles/areas/payer/bill-lines.css';

/** From this width on it stands open: there is room beside the form. */
const ROOM = '(min-width: 768px)';

/** What is on the bill, where the business shows it: folded on a phone. */
export function WhatIsOn({ texts, lines }: Pick<Page, 'texts' | 'lines'>) {
  const { bill: words } = usePayWords();
  const part = useRef<HTMLDetailsElement>(null);
  // A style shows it there from the first paint; this is for browsers that do not know the style, and for the arrow.
  useEffect(() => {
    if (part.current && window.matchMedia(ROOM).matches) part.current.open = true;
  }, []);
  return (
    <details className="bill-lines" data-row="lines" ref={part}>
      <summary>
        <span>
          {words.whatIsOn} <span data-fill="lineCount">{texts.lineCount}</span>
        </span>
        <Icon name="chevronDown" size="sm" />
      </summary>
      <ul>
        {lines.map(({ name, pieces, total }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change their places
          <li key={at} data-list="lines">
            <span>
              <span data-fill="name">{name}</span> <span data-fill="pieces">{pieces}</span>
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
