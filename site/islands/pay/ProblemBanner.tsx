import { type ReactNode, useEffect, useRef } from 'react';
import { missingLead, payFields } from '../../../shared/contracts/payment.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { formatSince } from '../ui/format-moment.ts';
import { focusCardFrame } from './CardFrame.tsx';
import { Declined } from './Declined.tsx';
import { BILLING_ADDRESS } from './PayAs.tsx';
import { NOT_CHARGED, type Problem } from './phase.ts';

/** The banner above the form takes the focus for each new problem. */
export function ProblemBanner({ problem, onClear }: { problem: Problem; onClear(): void }) {
  const banner = useRef<HTMLDivElement>(null);
  const isOld = problem.kind === 'not-charged' && !problem.isNews;
  useEffect(() => {
    // A page that has just opened starts at the bill.
    if (!isOld) banner.current?.focus();
  }, [isOld]);

  if (problem.kind === 'missing') {
    return <Banner tone="bad" ref={banner} lead={<Missing fields={problem.fields} />} onDismiss={onClear} />;
  }
  if (problem.kind === 'not-charged') {
    const at = formatSince(problem.at);
    const lead = `Your attempt ${at.includes(',') ? 'on' : 'at'} ${at} was not charged. You can pay now.`;
    return <Banner tone="note" ref={banner} lead={lead} onDismiss={onClear} />;
  }
  const { message, moneySafe, next, failure } = problem;
  const safe = moneySafe && !message.includes('not been charged') ? NOT_CHARGED : null;
  if (failure) {
    const clear = () => {
      onClear();
      focusCardFrame();
    };
    return <Declined failure={failure} safe={safe} canRetry={next === 'card'} onClear={clear} ref={banner} />;
  }
  let action: ReactNode;
  if (next === 'card') {
    action = (
      <button type="button" className="text-button" onClick={focusCardFrame}>
        Go to card details
      </button>
    );
  }
  if (next === 'reload') {
    action = (
      <button type="button" className="text-button" onClick={() => window.location.reload()}>
        Reload the page
      </button>
    );
  }
  return (
    <Banner tone="bad" ref={banner} lead={message} actions={action} onDismiss={onClear}>
      {safe}
    </Banner>
  );
}

const labels = { ...payFields, onFile: BILLING_ADDRESS };

/** Each field's name is a link to it. */
function Missing({ fields }: { fields: (keyof typeof labels)[] }) {
  return (
    <>
      {missingLead}{' '}
      {fields.map((field, at) => (
        <span key={field}>
          {at > 0 && ', '}
          <a
            href={`#pay-${field}`}
            onClick={(event) => {
              event.preventDefault();
              document.getElementById(`pay-${field}`)?.focus();
            }}
          >
            {labels[field]}
          </a>
        </span>
      ))}
    </>
  );
}
