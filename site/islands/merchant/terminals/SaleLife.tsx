import { useEffect, useRef, useState } from 'react';
import type { TerminalSale } from '#shared/contracts/payments/terminals';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import type { ClientError } from '../api/api.ts';
import { hasRight } from '../common/app-view.ts';
import { fetchSale, streamOf } from './api.ts';
import { SaleScreen } from './Counter.tsx';
import { PayByQr } from './PayByQr.tsx';
import { hasEndedUnpaid, isRunning, MAY_STILL_CHARGE, subjectOf } from './sale-words.ts';
import { useStartSale } from './use-start.ts';

const POLL_MS = 1_500;
/** The poll interval (ms) while a stream will deliver the outcome. Polls then only detect a lost connection. */
const STREAMING_POLL_MS = 5_000;

type Props = { saleId: string; onShow(saleId: string): void; onLeave(): void };

/** Loads and follows a sale, and shows it while it is running and afterwards. */
export function SaleTracker({ saleId, onShow, onLeave }: Props) {
  const [stream, setStream] = useState(() => streamOf(saleId));
  const [sale, setSale] = useState<TerminalSale | null>(stream?.started ?? null);
  const [error, setError] = useState<ClientError | null>(null);
  const [isPaid, setPaid] = useState(false);
  // A late reply that still shows the sale as running is ignored.
  const update = (next: TerminalSale) =>
    setSale((current) => (current && !isRunning(current) && isRunning(next) ? current : next));
  const load = async (): Promise<boolean> => {
    const answer = await fetchSale(saleId);
    setError(answer.ok ? null : answer.error);
    if (answer.ok) update(answer.value.sale);
    return answer.ok;
  };
  const initialLoad = useRef(load);
  useEffect(() => void initialLoad.current(), []);
  const onOutcome = useRef(update);
  useEffect(() => {
    void stream?.outcome.then((outcome) => {
      if (outcome) onOutcome.current(outcome);
      setStream(undefined);
    });
  }, [stream]);
  const mayCharge = !sale || isRunning(sale);
  const isMissing = error?.status === 404;
  usePoll(load, isMissing || !mayCharge ? null : stream ? STREAMING_POLL_MS : POLL_MS);

  if (isMissing) {
    return (
      <Banner
        tone="warn"
        lead="There is no such sale."
        actions={<Button onClick={onLeave}>{hasRight('collect') ? 'Take a payment' : 'All card readers'}</Button>}
      />
    );
  }
  const connectionBanner = error && (
    <Banner tone="warn" role="alert" lead={mayCharge ? MAY_STILL_CHARGE : 'There is no connection right now.'}>
      {mayCharge ? 'There is no connection right now. ' : ''}We keep checking.
    </Banner>
  );
  if (!sale) {
    return (
      <>
        {connectionBanner}
        <p role="status" className="app-quiet app-waiting">
          Loading...
        </p>
      </>
    );
  }
  return (
    <SaleScreen
      sale={sale}
      isPaidElsewhere={isPaid}
      connectionBanner={connectionBanner}
      alternatives={
        hasRight('collect') &&
        hasEndedUnpaid(sale) && (
          <Alternatives sale={sale} isPaid={isPaid} onPaid={() => setPaid(true)} onShow={onShow} />
        )
      }
      onLeave={onLeave}
    />
  );
}

type AlternativesProps = { sale: TerminalSale; isPaid: boolean; onPaid(): void; onShow(saleId: string): void };

/** Offers other ways to pay after a sale on the card reader has ended without payment. */
function Alternatives({ sale, isPaid, onPaid, onShow }: AlternativesProps) {
  const { isStarting, error, start, close } = useStartSale(onShow);
  const request = {
    terminalId: sale.terminal_id,
    device: sale.terminal_name,
    invoiceId: sale.invoice_id,
    about: subjectOf(sale),
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
        sideAction={
          !isPaid && (
            <Button kind="primary" size="lg" busy={isStarting} onClick={() => void start(request)}>
              Try again on {sale.terminal_name}
            </Button>
          )
        }
      />
    </>
  );
}
