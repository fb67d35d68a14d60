import { type ReactNode, useState } from 'react';
import { UNREACHABLE } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatSince } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import type { List, ListSource } from './use-list.ts';
import '#site/styles/parts/table/list-head.css';

type Props<Row> = {
  title: string;
  noun: string;
  source: ListSource<Row>;
  list: List<Row>;
  level?: 1 | 2;
  children?: ReactNode;
};

/** The title of a list, the age of its data, and its CSV download. */
export function ListHead<Row>({ title, noun, source, list, level = 1, children }: Props<Row>) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const Heading = level === 1 ? 'h1' : 'h2';
  const asOf = list.info?.asOf;
  const save = async () => {
    setBusy(true);
    const code = await import('./export-list.ts').catch(() => null);
    setFailure(code ? await code.exportList(source.path, noun, list.query) : UNREACHABLE.message);
    setBusy(false);
  };
  return (
    <>
      <div className="list-head">
        <Heading tabIndex={-1}>{title}</Heading>
        <p className="list-synced">
          {asOf && !list.info?.isStale && (
            <>
              synced <time dateTime={asOf}>{formatSince(asOf)}</time>
            </>
          )}
        </p>
        {children}
        <Button busy={isBusy} onClick={() => void save()}>
          {!isBusy && <Icon name="download" size="sm" />}
          Export CSV
        </Button>
      </div>
      {failure && (
        <Banner tone="warn" lead={`The ${noun} could not be exported.`} onDismiss={() => setFailure('')}>
          {failure}
        </Banner>
      )}
    </>
  );
}
