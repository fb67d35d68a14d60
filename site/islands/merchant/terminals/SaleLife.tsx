import { useEffect, useRef, useState } from 'react';
import type { TerminalSale } from '../../../../shared/contracts/terminals.ts';
import { usePoll } from '../../ui/api/use-poll.ts';
import { DetailRows } from '../../ui/DetailRows.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { StatusSteps } from '../../ui/feedback/StatusSteps.tsx';
import { Button } from '../../ui/form/Button.tsx';
import type { ClientError } from '../api/parse-response.ts';
import { may } from '../parts/app-view.ts';
import { askSale } from './api.ts';
import { PayByQr } from './PayByQr.tsx';
import { isFree, isRunning, MAY_STILL_CHARGE, moneyOf, stopsOf, wordsFor } from './sale-words.ts';
import { useStart } from './use-start.ts';

const LOOK_EVERY_MS = 1_500;

type Props = { saleId: string; onShow(saleId: string): void; onLeave(): void };

/** One sale, while it runs and after. */
export function SaleLife({ saleId, onShow, onLeave }: Props) {
  const [sale, setSale] = useState<TerminalSale | null>(null);
  const [error, setError] = useState<ClientError | null>(null);
  const read = async (): Promise<boolean> => {
    const answer = await askSale(saleId);
    setError(answer.ok ? null : answer.error);
    if (answer.ok) setSale(answer.value.sale);
    return answer.ok;
  };
  const first = useRef(read);
  useEffect(() => void first.current(), []);
  const mayCharge = !sale || isRunning(sale);
  const isGone = error?.status === 404;
  usePoll(read, isGone || (sale && !isRunning(sale)) ? null : LOOK_EVERY_MS);

  if (isGone) {
    return (
      <Banner
        tone="warn"
        lead="There is no such sale."
        actions={<Again onLeave={onLeave}>{may('desk') ? 'Take a payment' : 'All devices'}</Again>}
      />
    );
  }
  return (
    <>
      {error && (
        <Banner tone="warn" role="alert" lead={mayCharge ? MAY_STILL_CHARGE : 'There is no connection right now.'}>
          {mayCharge ? 'There is no connection right now. ' : ''}We ask again by ourselves.
        </Banner>
      )}
      {sale ? (
        <Shown sale={sale} onShow={onShow} onLeave={onLeave} />
      ) : (
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      )}
    </>
  );
}

const aboutOf = (sale: TerminalSale): string => [sale.invoice_number, sale.customer].filter(Boolean).join(', ');

function Shown({ sale, onShow, onLeave }: Pick<Props, 'onShow' | 'onLeave'> & { sale: TerminalSale }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [paid, setPaid] = useState(false);
  const { tone, lead, text } = wordsFor(sale);
  return (
    <section className="card take-sale" aria-labelledby="take-sale">
      <h2 id="take-sale" className="take-head" tabIndex={-1} ref={heading}>
        <span className="take-amount">{moneyOf(sale.amount, sale.currency)}</span> on {sale.terminal_name}
      </h2>
      <p className="take-about">
        {aboutOf(sale)}
        {!sale.is_own && sale.started_by && <span>Started by {sale.started_by}</span>}
      </p>
      {!paid && (
        <>
          <StatusSteps label="Sale" stops={stopsOf(sale)} />
          <Banner tone={tone} lead={lead}>
            {text}
          </Banner>
        </>
      )}
      {sale.transaction && (
        <DetailRows
          rows={[
            ['Card', sale.transaction.card || 'N/A'],
            ['Authorization code', sale.transaction['authorization-code'] || 'N/A'],
            ['Transaction id', sale.transaction.id || 'N/A'],
            ['Result', sale.transaction.result || 'N/A'],
          ]}
        />
      )}
      {may('desk') && isFree(sale) && (
        <Otherwise sale={sale} paid={paid} onPaid={() => setPaid(true)} onShow={onShow} />
      )}
      <div className="take-actions">
        {sale.receipt_url && (
          <a className="button button-secondary" href={sale.receipt_url} target="_blank" rel="noopener">
            View receipt
          </a>
        )}
        <Again onLeave={onLeave} kind={sale.state === 'approved' || paid ? 'primary' : 'ghost'}>
          {may('desk') ? 'Take another payment' : 'All devices'}
        </Again>
      </div>
    </section>
  );
}

function Again({
  onLeave,
  kind = 'secondary',
  children,
}: {
  onLeave(): void;
  kind?: 'primary' | 'secondary' | 'ghost';
  children: string;
}) {
  return (
    <Button kind={kind} onClick={onLeave}>
      {children}
    </Button>
  );
}

type OtherwiseProps = { sale: TerminalSale; paid: boolean; onPaid(): void; onShow(saleId: string): void };

/** Other ways to pay when the card reader brought no money. */
function Otherwise({ sale, paid, onPaid, onShow }: OtherwiseProps) {
  const { isStarting, error, start, close } = useStart(onShow);
  const again = {
    terminalId: sale.terminal_id,
    device: sale.terminal_name,
    invoiceId: sale.invoice_id,
    about: aboutOf(sale),
    amount: sale.amount,
    currency: sale.currency,
  };
  return (
    <>
      {error && <Banner tone="bad" lead={error.message} onDismiss={close} />}
      <PayByQr
        invoiceId={sale.invoice_id}
        amount={sale.amount}
        currency={sale.currency}
        onPaid={onPaid}
        beside={
          !paid && (
            <Button kind="primary" busy={isStarting} onClick={() => void start(again)}>
              Try again on {sale.terminal_name}
            </Button>
          )
        }
      />
    </>
  );
}
