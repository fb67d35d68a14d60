import { Fragment } from 'react';
import { AppLink } from '../ui/routing/router.tsx';

const MARKUP = /(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\([^)]+\))/;

/** A text of the runbook with bold text and code; a link to another document is shown as its name. */
export function FormattedText({ text }: { text: string }) {
  return text.split(MARKUP).map((part, index) => {
    const key = `${index}`;
    if (part.startsWith('**')) return <strong key={key}>{part.slice(2, -2)}</strong>;
    if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>;
    if (/^\[.+\)$/.test(part)) return <cite key={key}>{part.slice(1, part.indexOf(']'))}</cite>;
    return <Fragment key={key}>{part}</Fragment>;
  });
}

/** The runbook's first steps for an alert, with a link to its section. */
export function Steps({ event, steps }: { event: string; steps: string[] }) {
  if (steps.length === 0) return null;
  return (
    <div className="op-steps">
      <ol>
        {steps.map((step) => (
          <li key={step}>
            <FormattedText text={step} />
          </li>
        ))}
      </ol>
      <AppLink href={`/operator/runbook?event=${event}`}>
        All steps<span className="sr-only"> for {event}</span>
      </AppLink>
    </div>
  );
}
