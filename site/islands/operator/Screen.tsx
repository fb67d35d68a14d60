import type { ReactNode } from 'react';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Button } from '../ui/form/Button.tsx';
import type { Look } from './api.ts';

type Props<T> = {
  title: string;
  look: Look<T>;
  /** Between the heading and what is loaded. */
  lead?: ReactNode;
  children(seen: T): ReactNode;
};

/** A screen of the operator's area that shows one answer. */
export function Screen<T>({ title, look: { seen, failure, isLooking, again }, lead, children }: Props<T>) {
  return (
    <div className="op-page">
      <div className="op-head">
        <h1 tabIndex={-1}>{title}</h1>
        <Button busy={isLooking} onClick={() => void again()}>
          Refresh
        </Button>
      </div>
      {lead}
      {failure && <Banner tone="bad" lead={failure} />}
      {seen !== null && children(seen)}
      {seen === null && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
    </div>
  );
}
