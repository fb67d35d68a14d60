import { type ReactNode, useEffect, useRef } from 'react';
import { fill } from '#shared/words/both';
import { partsOfList } from '#shared/words/formats';
import { Banner } from '../ui/feedback/Banner.tsx';
import { focusCardFrame } from './CardFrame.tsx';
import { Declined } from './Declined.tsx';
import type { MissingField, Problem } from './phase.ts';
import { sinceIn } from './since.ts';
import { usePayWords } from './words.ts';

/** The banner above the form takes the focus for each new problem. */
export function ProblemBanner({ problem, onClear }: { problem: Problem; onClear(): void }) {
  const words = usePayWords();
  const { outcome } = words;
  const close = { close: outcome.close, onDismiss: onClear };
  const banner = useRef<HTMLDivElement>(null);
  const isOld = problem.kind === 'not-charged' && !problem.isNews;
  useEffect(() => {
    // A page that has just opened starts at the bill.
    if (!isOld) banner.current?.focus();
  }, [isOld]);

  if (problem.kind === 'missing') {
    return <Banner tone="bad" ref={banner} lead={<Missing fields={problem.fields} />} {...close} />;
  }
  if (problem.kind === 'not-charged') {
    const at = sinceIn(words.language, problem.at);
    const lead = fill(at.includes(',') ? outcome.attemptOn : outcome.attemptAt, { at });
    return <Banner tone="note" ref={banner} lead={lead} {...close} />;
  }
  const { message, moneySafe, next, failure } = problem;
  const safe = moneySafe && !message.includes(outcome.notCharged) ? outcome.notCharged : null;
  if (failure) {
    const clear = () => {
      onClear();
      focusCardFrame();
    };
    const canRetry = next === 'card';
    return <Declined {...{ failure, reason: message, safe, canRetry }} onClear={clear} ref={banner} />;
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
      {safe}
    </Banner>
  );
}

/** Each field's name is a link to it. */
function Missing({ fields }: { fields: MissingField[] }) {
  const { language, fields: labels, outcome } = usePayWords();
  const names = fields.map((field) => labels[field]);
  let next = 0;
  return (
    <>
      {outcome.missing}{' '}
      {partsOfList(language, names).map(({ isName, text }) => {
        if (!isName) return text;
        const field = fields[next++];
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
