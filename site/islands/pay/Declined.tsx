import type { Ref } from 'react';
import { DetailRows } from '../ui/DetailRows.tsx';
import { Button } from '../ui/form/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { Failure } from './reply.ts';
import '../../styles/parts/feedback/banner.css';

const WORDS = {
  head: 'Payment Failed!',
  error: 'There was an error processing your payment.',
  next: 'Try another card, or ask your bank why.',
  details: 'Details for support',
  message: 'Error Message',
  code: 'Result Code',
  okay: 'Okay',
  close: 'Close message',
};

type Props = {
  failure: Failure;
  /** That nothing was charged, where that is certain. */
  safe: string | null;
  /** Another card may do. */
  canRetry: boolean;
  onClear(): void;
  ref: Ref<HTMLDivElement>;
};

/** A refused payment in one box: what happened, what it cost, what to do; the provider's own words are folded. */
export function Declined({ failure, safe, canRetry, onClear, ref }: Props) {
  const said = /[.!?]$/.test(failure.message) ? failure.message : `${failure.message}.`;
  return (
    <div className="banner banner-bad declined" role="alert" tabIndex={-1} ref={ref}>
      <Icon name="alert" />
      <div className="banner-body">
        <h2 className="banner-lead">{WORDS.head}</h2>
        <p>{[WORDS.error, said, safe].filter(Boolean).join(' ')}</p>
        {canRetry && <p>{WORDS.next}</p>}
        <details>
          <summary>{WORDS.details}</summary>
          <DetailRows
            rows={[
              [WORDS.message, failure.message],
              [WORDS.code, <span className="code">{failure.resultCode}</span>],
            ]}
          />
        </details>
        <Button onClick={onClear}>{WORDS.okay}</Button>
      </div>
      <button type="button" className="icon-button" aria-label={WORDS.close} title="Close" onClick={onClear}>
        <Icon name="x" size="sm" />
      </button>
    </div>
  );
}
