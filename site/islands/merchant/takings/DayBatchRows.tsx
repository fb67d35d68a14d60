import { parseCents } from '#shared/money';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { negate } from '../common/amount.ts';
import { type DayBatch, type DayBatches, describeAgreement, type UnclosedBatch } from './day-batches.ts';
import { formatAmount, formatCents } from './takings.ts';

/** A batch that was closed on the day, a batch that was not, or a terminal whose batches could not be loaded. */
export type BatchRow = { closed: DayBatch } | { left: UnclosedBatch } | { unread: string };

export const batchRows = (batches: DayBatches | null): BatchRow[] =>
  batches
    ? [
        ...batches.closed.map((closed) => ({ closed })),
        ...batches.stillOpen.map((left) => ({ left })),
        ...batches.unread.map((unread) => ({ unread })),
      ]
    : [];

type Props = { rows: BatchRow[]; batches: DayBatches | null; isLast: boolean; net: string };

/** The batches that were closed on the day, with the card provider's figures, and notes about other batches. */
export function BatchRows({ rows, batches, isLast, net }: Props) {
  const closed = rows.flatMap((row) => ('closed' in row ? [row.closed] : []));
  const notes = rows.flatMap((row) => {
    if ('left' in row) return [describeOpenBatch(row.left)];
    return 'unread' in row ? [`${row.unread}: its batches could not be read.`] : [];
  });
  return (
    <section className="sheet-part">
      <h3>Batches closed on this day</h3>
      {!batches && <p className="sheet-note">Not read yet.</p>}
      {batches?.closed.length === 0 && notes.length === 0 && <p className="sheet-note">None.</p>}
      {closed.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Terminal</th>
              <th scope="col">Batch</th>
              <th scope="col" className="sheet-wide">
                Sales
              </th>
              <th scope="col" className="sheet-wide">
                Refunds
              </th>
              <th scope="col">Net</th>
              <th scope="col" className="sheet-wide">
                Confirmation
              </th>
              <th scope="col">Agrees</th>
            </tr>
          </thead>
          <tbody>
            {closed.map((row) => (
              <Row key={`${row.terminalId} ${row.batch.id}`} row={row} />
            ))}
          </tbody>
          {isLast && batches && <TotalRow closed={batches.closed} />}
        </table>
      )}
      {notes.map((text) => (
        <p key={text} className="sheet-note">
          {text}
        </p>
      ))}
      {isLast && batches && batches.unread.length === 0 && <DifferenceNote batches={batches} net={net} />}
    </section>
  );
}

function Row({ row: { terminal, terminalId, batch, match } }: { row: DayBatch }) {
  const agreement = describeAgreement(match);
  return (
    <tr>
      <th scope="row">
        <span className="sheet-cut">{terminal}</span> <small>{terminalId}</small>
      </th>
      <td>{batch.id}</td>
      <td className="sheet-wide">
        {batch['sales-count'] || 'N/A'}, {formatAmount(batch['sales-total'])}
      </td>
      <td className="sheet-wide">
        {batch['refund-count'] || 'N/A'}, {formatAmount(negate(batch['refund-total']))}
      </td>
      <td>{formatAmount(batch['net-amount'])}</td>
      <td className="sheet-wide">{batch['confirmation-code']}</td>
      <td>{agreement === 'No' ? <strong>No</strong> : agreement}</td>
    </tr>
  );
}

const totalCents = (batches: Pick<DayBatch, 'batch'>[], field: 'sales-total' | 'refund-total' | 'net-amount') =>
  batches.reduce((sum, { batch }) => sum + (parseCents(batch[field]) ?? 0), 0);
const totalCount = (batches: DayBatch[], field: 'sales-count' | 'refund-count') =>
  batches.reduce((sum, { batch }) => sum + Number(batch[field]), 0);

const TotalRow = ({ closed }: { closed: DayBatch[] }) => (
  <tfoot>
    <tr>
      <th scope="row">Total</th>
      <td />
      <td className="sheet-wide">
        {totalCount(closed, 'sales-count')}, {formatCents(totalCents(closed, 'sales-total'))}
      </td>
      <td className="sheet-wide">
        {totalCount(closed, 'refund-count')}, {formatCents(-Math.abs(totalCents(closed, 'refund-total')))}
      </td>
      <td>{formatCents(totalCents(closed, 'net-amount'))}</td>
      <td className="sheet-wide" />
      <td />
    </tr>
  </tfoot>
);

function describeOpenBatch({ terminal, batch, closedAt }: UnclosedBatch): string {
  const sum = formatAmount(batch['net-amount']);
  return closedAt
    ? `${terminal}, batch ${batch.id}, was closed ${formatMoment(closedAt)}: ${sum} not in these batches.`
    : `${terminal} is still open: ${sum} not in these batches.`;
}

/**
 * Explains why the day's takings differ from its batches. Batches that were not closed on the day may account for all
 * of the difference. Otherwise both totals may be right, since batches may span midnight and omit bank payments.
 */
function DifferenceNote({ batches, net }: { batches: DayBatches; net: string }) {
  const difference = (parseCents(net) ?? 0) - totalCents(batches.closed, 'net-amount');
  if (difference === 0) return null;
  const unclosedCents = totalCents(batches.stillOpen, 'net-amount');
  const lead = `Net taken on this day is ${formatCents(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'} than these batches`;
  if (difference === unclosedCents)
    return <p className="sheet-note">{lead}: the difference is in batches that were not closed on this day.</p>;
  return (
    <p className="sheet-note">
      {lead}: {unclosedCents !== 0 && `${formatCents(unclosedCents)} is in batches that were not closed on this day, `}
      payments of a day may be in a batch of another day, and bank payments are in none
      {batches.closed.some(({ match }) => describeAgreement(match) === 'Before Tillway') &&
        ', and our books lack what was taken before Tillway'}
      .
    </p>
  );
}
