import type { ReactNode } from 'react';
import type { Takings } from '#shared/contracts/payments/takings';
import { formatMoment, formatTime } from '#site/islands/ui/format-moment.ts';
import { negate } from '../common/amount.ts';
import { clinicZone } from '../common/clinic-time.ts';
import { CardSales, ProviderChecks } from './Cards.tsx';
import { BatchRows, batchRows } from './DayBatchRows.tsx';
import type { DayBatches } from './day-batches.ts';
import { ReviewTable, reviewItemsOf } from './ItemsToReview.tsx';
import { formatAmount, longDay, type SheetPart, sheetsOf, weekdayName } from './takings.ts';

type SheetsProps = { takings: Takings; batches: DayBatches | null; areBatchesLoading: boolean };

/**
 * Splits the day into as many sheets as needed, each with a header and a footer. The parts below the batches appear at
 * the same time as the batches, since they would otherwise move when the number of batches becomes known.
 */
export function Sheets({ takings, batches, areBatchesLoading: isReading }: SheetsProps) {
  const rows = batchRows(batches);
  const reviewItems = reviewItemsOf(takings);
  const sheets = sheetsOf(rows.length, reviewItems.length);
  return sheets.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sheets have no other key
    <Sheet key={index} takings={takings} number={index + 1} count={sheets.length} areBatchesLoading={isReading}>
      {index === 0 && <DayFigures takings={takings} />}
      {part.batches && (
        <BatchRows
          rows={rows.slice(...part.batches)}
          batches={batches}
          isLast={part.batches[1] === rows.length}
          net={takings.net}
        />
      )}
      {part.cards && !isReading && (
        <div className="sheet-pair">
          <CardSales takings={takings} />
          <ProviderChecks batches={batches} />
        </div>
      )}
      {part.looks && part.looks[1] > part.looks[0] && !isReading && (
        <ReviewTable looks={reviewItems.slice(...part.looks)} />
      )}
      {isLastSheet(sheets, index) && !isReading && <SignatureLines />}
    </Sheet>
  ));
}

const isLastSheet = (sheets: SheetPart[], index: number) => index === sheets.length - 1;

type SheetProps = { takings: Takings; number: number; count: number; areBatchesLoading: boolean; children: ReactNode };

function Sheet({
  takings: { business, date, closed },
  number,
  count,
  areBatchesLoading: isReading,
  children,
}: SheetProps) {
  return (
    <article
      className={isReading ? 'sheet sheet-wait' : 'sheet'}
      aria-busy={isReading || undefined}
      aria-label={`Card takings, sheet ${number} of ${count}`}
    >
      <header className="sheet-head">
        <div>
          <p className="sheet-title">Card takings</p>
          <p>{[business.name, business.address].filter(Boolean).join(', ')}</p>
        </div>
        <div className="sheet-day">
          <p>
            <strong>{longDay(date)}</strong>
          </p>
          {closed && (
            <p>
              last batch closed {formatTime(new Date(closed.at))}
              {closed.by && ` by ${closed.by}`}
            </p>
          )}
        </div>
      </header>
      {children}
      {!isReading && (
        <footer className="sheet-foot">
          <p>
            Created by Tillway on {formatMoment(new Date().toISOString())}. Times are those of the clinic (
            {clinicZone()}).
          </p>
          <p>
            Sheet {number} of {count}
          </p>
        </footer>
      )}
    </article>
  );
}

function DayFigures({ takings }: { takings: Takings }) {
  const { net, sales, refunds, declined, week_before, date } = takings;
  return (
    <dl className="sheet-figures">
      <div className="sheet-net">
        <dt>Net taken on this day</dt>
        <dd>{formatAmount(net)}</dd>
      </div>
      <DayFigure name="Sales">
        {sales.count}, {formatAmount(sales.amount)}
      </DayFigure>
      <DayFigure name="Refunds">
        {refunds.count}, {formatAmount(negate(refunds.amount))}
      </DayFigure>
      <DayFigure name="Declined">{declined === 0 ? 'None' : `${declined}, not charged`}</DayFigure>
      {week_before !== null && <DayFigure name={`${weekdayName(date)} before`}>{formatAmount(week_before)}</DayFigure>}
    </dl>
  );
}

const DayFigure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const SignatureLines = () => (
  <div className="sheet-signatures">
    {['Counted by', 'Checked by'].map((label) => (
      <p key={label}>
        <span>{label}</span>
        <span>Date, time</span>
      </p>
    ))}
  </div>
);
