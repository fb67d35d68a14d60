import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { fill } from '#shared/words/bilingual';
import { partsOfList } from '#shared/words/formats';
import { DetailRows } from '../ui/DetailRows.tsx';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Button } from '../ui/form/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { focusCardFrame } from './CardFrame.tsx';
import type { MissingField, Problem } from './phase.ts';
import { businessTimeIn, type Failure, usePayWords } from './words.ts';
import '#site/styles/parts/feedback/banner.css';

type Props = {
  failure: Failure;
  /** The reason in the page's language. */
  reason: string;
  /** The sentence that nothing was charged, or null if that is not certain. */
  safeText: string | null;
  /** True if another card may work. */
  canRetry: boolean;
  onClear(): void;
  ref: Ref<HTMLDivElement>;
};

/** Explains why a payment was refused, whether it was charged, and what to do next. Details are collapsed. */
export function DeclineNotice({ failure, reason, safeText: safe, canRetry, onClear, ref }: Props) {
  const { outcome: words } = usePayWords();
  const sentence = /[.!?]$/.test(reason) ? reason : `${reason}.`;
  return (
    <div className="banner banner-bad declined" role="alert" tabIndex={-1} ref={ref}>
      <Icon name="alert" />
      <div className="banner-body">
        <h2 className="banner-lead">{words.failed}</h2>
        <p>{[words.error, sentence, safe].filter(Boolean).join(' ')}</p>
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

type BannerProps = { problem: Problem; timeZone: string; onClear(): void };

/** The banner above the form. It takes the focus for each new problem. */
export function ProblemBanner({ problem, timeZone, onClear }: BannerProps) {
  const words = usePayWords();
  const { outcome } = words;
  const close = { close: outcome.close, onDismiss: onClear };
  const banner = useRef<HTMLDivElement>(null);
  const isOld = problem.kind === 'not-charged' && !problem.isNews;
  useEffect(() => {
    // A page that was just opened must show the bill first.
    if (isOld) return;
    banner.current?.focus();
    // If the banner is taller than the window, focusing it would only show its middle.
    banner.current?.scrollIntoView();
  }, [isOld]);

  if (problem.kind === 'missing') {
    return <Banner tone="bad" ref={banner} lead={<MissingFields fields={problem.fields} />} {...close} />;
  }
  if (problem.kind === 'not-charged') {
    const at = businessTimeIn(words.language, problem.at, timeZone);
    const lead = fill(at.includes(',') ? outcome.attemptOn : outcome.attemptAt, { at });
    return <Banner tone="note" ref={banner} lead={lead} {...close} />;
  }
  const { message, wasNotCharged: moneySafe, next, failure } = problem;
  const notChargedText = moneySafe && !message.includes(outcome.notCharged) ? outcome.notCharged : null;
  if (failure) {
    const clear = () => {
      onClear();
      focusCardFrame();
    };
    return (
      <DeclineNotice
        failure={failure}
        reason={message}
        safeText={notChargedText}
        canRetry={next === 'card'}
        onClear={clear}
        ref={banner}
      />
    );
  }
  let action: ReactNode;
  if (next === 'card') {
    action = (
      <button type="button" className="text-button" onClick={focusCardFrame}>
        {outcome.goToCard}
      </button>
    );
  }
  if (next === 'reload') {
    action = (
      <button type="button" className="text-button" onClick={() => window.location.reload()}>
        {outcome.reload}
      </button>
    );
  }
  return (
    <Banner tone="bad" ref={banner} lead={message} actions={action} {...close}>
      {notChargedText}
    </Banner>
  );
}

/** Lists the missing fields, with a link to the input of each. */
function MissingFields({ fields }: { fields: MissingField[] }) {
  const { language, fields: labels, outcome } = usePayWords();
  const names = fields.map((field) => labels[field]);
  let index = 0;
  return (
    <>
      {outcome.missing}{' '}
      {partsOfList(language, names).map(({ isName, text }) => {
        if (!isName) return text;
        const field = fields[index++];
        return (
          <a
            key={field}
            href={`#pay-${field}`}
            onClick={(event) => {
              event.preventDefault();
              document.getElementById(`pay-${field}`)?.focus();
            }}
          >
            {text}
          </a>
        );
      })}
    </>
  );
}
