import { useEffect, useRef, useState } from 'react';
import type { TerminalSale } from '#shared/contracts/payments/terminals';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import type { ClientError } from '../api/api.ts';
import { may } from '../parts/app-view.ts';
import { askSale, lineOf } from './api.ts';
import { Counter } from './Counter.tsx';
import { PayByQr } from './PayByQr.tsx';
import { aboutOf, isFree, isRunning, MAY_STILL_CHARGE } from './sale-words.ts';
import { useStart } from './use-start.ts';

const LOOK_EVERY_MS = 1_500;
/** Poll interval (ms) while the open reply will bring the outcome: often enough to notice a lost connection. */
const LOOK_BESIDE_MS = 5_000;

type Props = { saleId: string; onShow(saleId: string): void; onLeave(): void };

/** One sale, during and after it. */
export function SaleLife({ saleId, onShow, onLeave }: Props) {
  const [line, setLine] = useState(() => lineOf(saleId));
  const [sale, setSale] = useState<TerminalSale | null>(line?.started ?? null);
  const [error, setError] = useState<ClientError | null>(null);
  const [paid, setPaid] = useState(false);
  // Ignore a late reply that still shows the sale as running.
  const keep = (next: TerminalSale) =>
    setSale((known) => (known && !isRunning(known) && isRunning(next) ? known : next));
  const read = async (): Promise<boolean> => {
    const answer = await askSale(saleId);
    setError(answer.ok ? null : answer.error);
    if (answer.ok) keep(answer.value.sale);
    return answer.ok;
  };
  const first = useRef(read);
  useEffect(() => void first.current(), []);
  const end = useRef(keep);
  useEffect(() => {
    void line?.outcome.then((outcome) => {
      if (outcome) end.current(outcome);
      setLine(undefined);
    });
  }, [line]);
  const mayCharge = !sale || isRunning(sale);
  const isGone = error?.status === 404;
  usePoll(read, isGone || !mayCharge ? null : line ? LOOK_BESIDE_MS : LOOK_EVERY_MS);

  if (isGone) {
    return (
      <Banner
        tone="warn"
        lead="There is no such sale."
        actions={<Button onClick={onLeave}>{may('collect') ? 'Take a payment' : 'All devices'}</Button>}
      />
    );
  }
  const trouble = error && (
    <Banner tone="warn" role="alert" lead={mayCharge ? MAY_STILL_CHARGE : 'There is no connection right now.'}>
      {mayCharge ? 'There is no connection right now. ' : ''}We keep checking.
    </Banner>
  );
  if (!sale) {
    return (
      <>
        {trouble}
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      </>
    );
  }
  return (
    <Counter
      sale={sale}
      isPaidElsewhere={paid}
      trouble={trouble}
      otherwise={
        may('collect') &&
        isFree(sale) && <Otherwise sale={sale} paid={paid} onPaid={() => setPaid(true)} onShow={onShow} />
      }
      onLeave={onLeave}
    />
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
        size="lg"
        beside={
          !paid && (
            <Button kind="primary" size="lg" busy={isStarting} onClick={() => void start(again)}>
              Try again on {sale.terminal_name}
            </Button>
          )
        }
      />
    </>
  );
}
