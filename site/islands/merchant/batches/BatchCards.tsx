import { useState } from 'react';
import type { Batch } from '#shared/contracts/batches';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { BatchCard } from './BatchCard.tsx';
import { partBatches } from './earlier-batches.ts';

/** Batches shown at first: two rows on a wide screen, of three or of four. A device that closes daily soon has more. */
const firstOnes = () => (window.matchMedia('(min-width: 1400px)').matches ? 8 : 6);
const isOnPhone = () => window.matchMedia('(width < 576px)').matches;

type Props = { name: string; batches: Batch[] };

/** The batches of a terminal. On a phone, where cards stand one under the other, the earlier ones are folded. */
export function BatchCards({ name, batches }: Props) {
  const [isNarrow] = useState(isOnPhone);
  if (!isNarrow) return <Cards label={`Batches of ${name}`} batches={batches} />;
  const { now, earlier } = partBatches(batches);
  return (
    <>
      <Cards label={`Batches of ${name}`} batches={now} />
      {earlier.length > 0 && (
        <details className="batches-earlier">
          <summary>
            <Icon name="chevronDown" size="sm" />
            Earlier batches <span className="batch-count">{earlier.length}</span>
            <span className="sr-only"> of {name}</span>
          </summary>
          <Cards label={`Earlier batches of ${name}`} batches={earlier} />
        </details>
      )}
    </>
  );
}

function Cards({ label, batches }: { label: string; batches: Batch[] }) {
  const [isWhole, setWhole] = useState(false);
  const [first] = useState(firstOnes);
  const shown = isWhole ? batches : batches.slice(0, first);
  return (
    <>
      <ul className="batch-list" aria-label={label}>
        {shown.map((batch) => (
          <BatchCard key={batch.id} batch={batch} />
        ))}
      </ul>
      {shown.length < batches.length && (
        <Button kind="ghost" onClick={() => setWhole(true)}>
          Show all {batches.length} batches
        </Button>
      )}
    </>
  );
}
