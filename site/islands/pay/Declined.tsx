import type { Ref } from 'react';
import { DetailRows } from '../ui/DetailRows.tsx';
import { Button } from '../ui/form/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import type { Failure } from './told.ts';
import { usePayWords } from './words.ts';
import '#site/styles/parts/feedback/banner.css';

type Props = {
  failure: Failure;
  /** The reason in the words of the page. */
  reason: string;
  /** That nothing was charged, where that is certain. */
  safe: string | null;
  /** Another card may do. */
  canRetry: boolean;
  onClear(): void;
  ref: Ref<HTMLDivElement>;
};

/** A refused payment in one box: what happened, what it cost, what to do; the provider's own words are folded. */
export function Declined({ failure, reason, safe, canRetry, onClear, ref }: Props) {
  const { outcome: words } = usePayWords();
  const said = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return (
    <div className="banner banner-bad declined" role="alert" tabIndex={-1} ref={ref}>
      <Icon name="alert" />
      <div className="banner-body">
        <h2 className="banner-lead">{words.failed}</h2>
        <p>{[words.error, said, safe].filter(Boolean).join(' ')}</p>
        {canRetry && <p>{words.tryOther}</p>}
        <details>
          <summary>{words.support}</summary>
          <DetailRows
            rows={[
              [words.message, failure.message],
              [words.code, <span className="code">{failure.resultCode}</span>],
            ]}
          />
        </details>
        <Button onClick={onClear}>{words.okay}</Button>
      </div>
      <button type="button" className="icon-button" aria-label={words.close} title={words.close} onClick={onClear}>
        <Icon name="x" size="sm" />
      </button>
    </div>
  );
}
