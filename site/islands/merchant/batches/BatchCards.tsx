import { useState } from 'react';
import type { Batch } from '#shared/contracts/payments/batches';
import { formatMoney, parseCents } from '#shared/money';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { Icon, type IconName } from '#site/islands/ui/Icon.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { negate } from '../common/amount.ts';
import { transactionsAddress } from './api.ts';

type StatusBadge = { text: string; tone: 'plain' | 'ok' | 'note' | 'bad'; icon: IconName };

const badges: Record<Batch['status'], StatusBadge> = {
  OPEN: { text: 'Open', tone: 'note', icon: 'clock' },
  PENDING: { text: 'Being closed', tone: 'note', icon: 'half' },
  CLOSED: { text: 'Settled', tone: 'ok', icon: 'check' },
  FAILED: { text: 'Failed', tone: 'bad', icon: 'x' },
  UNKNOWN: { text: 'Unknown', tone: 'plain', icon: 'info' },
};

export function BatchStatus({ status }: { status: Batch['status'] }) {
  const { text, tone, icon } = badges[status];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}

export const netOf = (batch: Batch): string => {
  const cents = parseCents(batch['net-amount']);
  return cents === null ? 'N/A' : formatMoney(cents, 'USD');
};

/** All that the gateway reports about a batch. It is a large card until the batch is settled, then a row. */
export function BatchCard({ batch }: { batch: Batch }) {
  const openedAt = batch['date-opened'];
  const id = `batch-${batch['terminal-id']}-${batch.id}`;
  return (
    <li className={batch.status === 'CLOSED' ? 'batch batch-row' : 'batch'} aria-labelledby={id}>
      <div className="batch-head">
        <h4 id={id}>
          <AppLink href={transactionsAddress(batch['terminal-id'], batch.id)}>Batch {batch.id}</AppLink>
        </h4>
        <BatchStatus status={batch.status} />
      </div>
      <p className="batch-net">
        <strong className="money">{netOf(batch)}</strong> <span>Net amount</span>
      </p>
      <dl className="rows batch-rows">
        <div>
          <dt>
            Sales <span className="batch-count">{batch['sales-count'] || 'N/A'}</span>
          </dt>
          <dd>
            <Money amount={batch['sales-total']} currency="USD" />
          </dd>
        </div>
        <div>
          <dt>
            Refunds <span className="batch-count">{batch['refund-count'] || 'N/A'}</span>
          </dt>
          <dd>
            <Money amount={negate(batch['refund-total'])} currency="USD" />
          </dd>
        </div>
        <div>
          <dt>Opened</dt>
          <dd>{openedAt ? <time dateTime={openedAt}>{formatMoment(openedAt)}</time> : 'N/A'}</dd>
        </div>
        {batch.settled && (
          <div>
            <dt>Settled</dt>
            <dd>
              <time dateTime={batch.settled}>{formatMoment(batch.settled)}</time>
            </dd>
          </div>
        )}
        {batch['confirmation-code'] && (
          <div>
            <dt>Confirmation code</dt>
            <dd className="batch-code">{batch['confirmation-code']}</dd>
          </div>
        )}
        <div>
          <dt>Terminal</dt>
          <dd>
            {batch.terminal_name} <span className="batch-code">{batch['terminal-id']}</span>
          </dd>
        </div>
      </dl>
    </li>
  );
}

/** Splits a terminal's batches (newest first). The unsettled ones and the newest settled one are current. */
export function splitBatches(batches: Batch[]): { current: Batch[]; earlier: Batch[] } {
  const newestSettled = batches.find(({ status }) => status === 'CLOSED');
  const isCurrent = (batch: Batch) => batch.status !== 'CLOSED' || batch === newestSettled;
  return { current: batches.filter(isCurrent), earlier: batches.filter((batch) => !isCurrent(batch)) };
}

/** The number of batches shown at first. A terminal whose batch is closed daily soon has more. */
const INITIAL_COUNT = 4;
const isOnPhone = () => window.matchMedia('(width < 576px)').matches;

type Props = { name: string; batches: Batch[] };

/** The batches of a terminal. On a phone, where cards are stacked, the earlier ones are collapsed. */
export function BatchCards({ name, batches }: Props) {
  const [isNarrow] = useState(isOnPhone);
  if (!isNarrow) return <CardList label={`Batches of ${name}`} batches={batches} />;
  const { current, earlier } = splitBatches(batches);
  return (
    <>
      <CardList label={`Batches of ${name}`} batches={current} />
      {earlier.length > 0 && (
        <details className="batches-earlier">
          <summary>
            <Icon name="chevronDown" size="sm" />
            Earlier batches <span className="batch-count">{earlier.length}</span>
            <span className="sr-only"> of {name}</span>
          </summary>
          <CardList label={`Earlier batches of ${name}`} batches={earlier} />
        </details>
      )}
    </>
  );
}

function CardList({ label, batches }: { label: string; batches: Batch[] }) {
  const [isExpanded, setExpanded] = useState(false);
  const visible = isExpanded ? batches : batches.slice(0, INITIAL_COUNT);
  return (
    <>
      <ul className="batch-list" aria-label={label}>
        {visible.map((batch) => (
          <BatchCard key={batch.id} batch={batch} />
        ))}
      </ul>
      {visible.length < batches.length && (
        <Button kind="ghost" onClick={() => setExpanded(true)}>
          Show all {batches.length} batches
        </Button>
      )}
    </>
  );
}
