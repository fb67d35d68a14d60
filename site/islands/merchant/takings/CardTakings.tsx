import { useId } from 'react';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { todayLocal } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink, setSearch, useSearch } from '#site/islands/ui/routing/router.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { compareTotals, type DayBatches, isCompared, useDayBatches } from './day-batches.ts';
import { Sheets } from './Sheets.tsx';
import { fetchTakings, formatCents } from './takings.ts';
import '#site/styles/areas/merchant/money/batches.css';
import '#site/styles/areas/merchant/money/takings.css';
import '#site/styles/areas/merchant/money/takings-print.css';
import '#site/styles/parts/form/field.css';

function describeClosed(count: number): string {
  if (count === 2) return 'Both batches are closed.';
  return count === 1 ? '1 batch is closed.' : `All ${count} batches are closed.`;
}

/** A printable sheet of the takings of the day in the URL. */
export function CardTakings() {
  const id = useId();
  const today = todayLocal();
  const date = new URLSearchParams(useSearch()).get('date') ?? today;
  const takings = useLoad(date, 'Failed to fetch card takings', () => fetchTakings(date));
  const batches = useDayBatches(date);
  const areBatchesLoading = !batches.value && !batches.failure;
  return (
    <div className="takings">
      <AppLink href="/batches" className="batches-back">
        <Icon name="previous" size="sm" />
        Batches Dashboard
      </AppLink>
      <div className="takings-head">
        <h2 tabIndex={-1}>Card takings</h2>
        <label className="sr-only" htmlFor={id}>
          Day
        </label>
        <input
          id={id}
          type="date"
          className="input"
          max={today}
          value={date}
          onChange={({ target }) => target.value && setSearch(`date=${target.value}`)}
        />
        <Button
          kind="primary"
          aria-disabled={!takings.value || areBatchesLoading || undefined}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </div>
      <LoadFailure lead="Card takings could not be loaded." load={takings} />
      <LoadFailure lead="Batches could not be loaded." load={batches} />
      {!takings.failure && <DayStatus batches={batches.value} areBatchesLoading={areBatchesLoading} />}
      {takings.value ? (
        <Sheets takings={takings.value} batches={batches.value} areBatchesLoading={areBatchesLoading} />
      ) : (
        !takings.failure && (
          <div className="sheet sheet-wait" aria-busy="true">
            <p role="status">Loading...</p>
          </div>
        )
      )}
    </div>
  );
}

/** States whether the day's batches are closed and agree with our books. */
function DayStatus({
  batches,
  areBatchesLoading: isReading,
}: {
  batches: DayBatches | null;
  areBatchesLoading: boolean;
}) {
  if (!batches)
    return (
      isReading && (
        <Banner tone="note" lead="Asking the card provider for the batches...">
          Our own figures are shown below.
        </Banner>
      )
    );
  const { closed, stillOpen, unread } = batches;
  const openCount = stillOpen.filter(({ closedAt }) => closedAt === null).length;
  if (unread.length > 0) {
    return (
      <Banner tone="warn" lead={`The batches of ${unread.join(', ')} could not be read.`}>
        They are not on this sheet. Reload it later.
      </Banner>
    );
  }
  if (openCount + closed.length === 0) return <Banner tone="note" lead="No batch was closed on this day." />;
  const doTotalsAgree = compareTotals(closed).checks.every(({ ours, theirs }) => ours === theirs);
  const [lead, instruction] =
    openCount > 0
      ? [
          `${openCount === 1 ? '1 batch is' : `${openCount} batches are`} still open.`,
          `Close ${openCount === 1 ? 'it' : 'them'} in Batches Dashboard when the day is over. `,
        ]
      : [describeClosed(closed.length), ''];
  return (
    <Banner tone={!doTotalsAgree ? 'warn' : openCount > 0 ? 'note' : 'ok'} lead={lead}>
      {instruction}
      {closed.length > 0 && <NetComparison closed={closed} doTotalsAgree={doTotalsAgree} />}
    </Banner>
  );
}

/** Compares the batches with the card provider. The day's own totals, which are on the sheet, may rightly differ. */
function NetComparison({ closed, doTotalsAgree: isFine }: { closed: DayBatches['closed']; doTotalsAgree: boolean }) {
  const { checks } = compareTotals(closed);
  const net = checks.find(({ what }) => what === 'Net');
  if (!net) return 'It cannot be compared yet.';
  if (!isFine)
    return (
      <>
        The card provider has different totals: see the marked lines below, then open{' '}
        <AppLink href="/checks">Payments to check</AppLink>.
      </>
    );
  const comparedCount = closed.filter(({ match }) => isCompared(match)).length;
  const scope = comparedCount === closed.length ? 'the batches' : `${comparedCount} of ${closed.length} closed batches`;
  return `Net of ${scope}: ${formatCents(net.theirs)}. The card provider has the same total.`;
}
