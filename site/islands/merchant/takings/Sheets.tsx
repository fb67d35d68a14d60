import type { ReactNode } from 'react';
import type { Takings } from '#shared/contracts/payments/takings';
import { formatMoment, formatTime } from '#site/islands/ui/format-moment.ts';
import { negated } from '../parts/amount.ts';
import { clinicZone } from '../parts/clinic-time.ts';
import { Cards, Checked } from './Cards.tsx';
import { BatchRows, batchRows } from './DayBatchRows.tsx';
import type { DayBatches } from './day-batches.ts';
import { Looks, looksOf } from './Looks.tsx';
import { longDay, type SheetPart, sheetsOf, shown, weekday } from './takings.ts';

type SheetsProps = { takings: Takings; batches: DayBatches | null; isReading: boolean };

/**
 * The day on as many sheets as needed, each with head and foot. Everything below the batches appears together with
 * them, since their number is not known before and would move it.
 */
export function Sheets({ takings, batches, isReading }: SheetsProps) {
  const rows = batchRows(batches);
  const looks = looksOf(takings);
  const sheets = sheetsOf(rows.length, looks.length);
  return sheets.map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sheets have no other key
    <Sheet key={at} takings={takings} number={at + 1} of={sheets.length} isReading={isReading}>
      {at === 0 && <Figures takings={takings} />}
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
          <Cards takings={takings} />
          <Checked batches={batches} />
        </div>
      )}
      {part.looks && part.looks[1] > part.looks[0] && !isReading && <Looks looks={looks.slice(...part.looks)} />}
      {isEnd(sheets, at) && !isReading && <Signatures />}
    </Sheet>
  ));
}

const isEnd = (sheets: SheetPart[], at: number) => at === sheets.length - 1;

type SheetProps = { takings: Takings; number: number; of: number; isReading: boolean; children: ReactNode };

function Sheet({ takings: { business, date, closed }, number, of, isReading, children }: SheetProps) {
  return (
    <article
      className={isReading ? 'sheet sheet-wait' : 'sheet'}
      aria-busy={isReading || undefined}
      aria-label={`Card takings, sheet ${number} of ${of}`}
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
            Made by Tillway on {formatMoment(new Date().toISOString())}. Times are those of the clinic ({clinicZone()}).
          </p>
          <p>
            Sheet {number} of {of}
          </p>
        </footer>
      )}
    </article>
  );
}

function Figures({ takings }: { takings: Takings }) {
  const { net, sales, refunds, declined, week_before, date } = takings;
  return (
    <dl className="sheet-figures">
      <div className="sheet-net">
        <dt>Net taken on this day</dt>
        <dd>{shown(net)}</dd>
      </div>
      <Fact name="Sales">
        {sales.count}, {shown(sales.amount)}
      </Fact>
      <Fact name="Refunds">
        {refunds.count}, {shown(negated(refunds.amount))}
      </Fact>
      <Fact name="Declined">{declined === 0 ? 'None' : `${declined}, not charged`}</Fact>
      {week_before !== null && <Fact name={`${weekday(date)} before`}>{shown(week_before)}</Fact>}
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Signatures = () => (
  <div className="sheet-signatures">
    {['Counted by', 'Checked by'].map((who) => (
      <p key={who}>
        <span>{who}</span>
        <span>Date, time</span>
      </p>
    ))}
  </div>
);
