import type { ReactNode } from 'react';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Button } from '../ui/form/Button.tsx';
import type { PolledView } from './api.ts';

type Props<T> = {
  title: string;
  view: PolledView<T>;
  /** Shown between the heading and the loaded data. */
  lead?: ReactNode;
  children(data: T): ReactNode;
};

/** A screen of the operator's area that shows the data of one view. */
export function Screen<T>({ title, view: { data, failure, isLoading, refresh }, lead, children }: Props<T>) {
  return (
    <div className="op-page">
      <div className="op-head">
        <h1 tabIndex={-1}>{title}</h1>
        <Button busy={isLoading} onClick={() => void refresh()}>
          Refresh
        </Button>
      </div>
      {lead}
      {failure && <Banner tone="bad" lead={failure} />}
      {data !== null && children(data)}
      {data === null && !failure && (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
    </div>
  );
}
