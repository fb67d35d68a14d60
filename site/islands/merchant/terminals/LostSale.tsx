import { useEffect, useRef, useState } from 'react';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { askPress } from './api.ts';
import { keepLostPress, type LostPress } from './lost-press.ts';
import { MAY_STILL_CHARGE, moneyOf } from './sale-words.ts';

const LOOK_EVERY_MS = 1_500;
/** A press that has left no sale so long (ms) after it came to nothing: no request lives as long on its way. */
const NO_TRACE_MS = 60_000;

/** `isHere`: the card reader is one of this account. */
type Props = { press: LostPress; isHere: boolean; onShow(saleId: string): void };

/** A press whose answer was lost, until it is known whether it started a sale. */
export function LostSale({ press, isHere, onShow }: Props) {
  const [isLineDown, setLineDown] = useState(true);
  const [hasNoTrace, setNoTrace] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const look = async (): Promise<boolean> => {
    const answer = await askPress(press);
    if (answer.ok) {
      keepLostPress(null);
      onShow(answer.value.sale.id);
      return true;
    }
    const isAnswered = answer.error.status === 404;
    setLineDown(!isAnswered);
    setNoTrace(isAnswered && isHere && Date.now() - press.at > NO_TRACE_MS);
    return isAnswered;
  };
  usePoll(look, hasNoTrace ? null : LOOK_EVERY_MS);

  return (
    <section className="card take-sale" aria-labelledby="take-lost">
      <h2 id="take-lost" className="take-head" tabIndex={-1} ref={heading}>
        <span className="take-amount">{moneyOf(press.amount, press.currency)}</span> on {press.device}
      </h2>
      <p className="take-about">{press.about}</p>
      {hasNoTrace ? (
        <>
          <Banner tone="note" lead="The sale was not started.">
            It never reached us. Nothing was charged.
          </Banner>
          <div className="take-actions">
            <Button kind="primary" onClick={() => keepLostPress(null)}>
              Take a payment
            </Button>
          </div>
        </>
      ) : (
        <Banner tone="warn" role="alert" lead={MAY_STILL_CHARGE}>
          {isLineDown ? 'There is no connection right now. ' : ''}This screen finds out by itself what became of it.
        </Banner>
      )}
    </section>
  );
}
