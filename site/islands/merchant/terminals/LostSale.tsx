import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { isRecord, isText } from '#site/islands/ui/api/parse-response.ts';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { fetchSaleOfSubmission } from './api.ts';
import { MAY_STILL_CHARGE, moneyOf } from './sale-words.ts';

/** A submission of the form that got no reply. The sale may have started, so the card reader may still charge. */
export type LostSubmission = {
  /** The attempt id of the submission. */
  key: string;
  /** The time of the submission in UTC milliseconds, by this browser's clock. */
  at: number;
  terminalId: string;
  device: string;
  invoiceId: string;
  /** The invoice number and the customer. */
  about: string;
  amount: string;
  currency: string;
};

/** The session storage key. Storage is needed because staff often reload the page after a lost connection. */
const STORAGE_KEY = 'lost_press';
const listeners = new Set<() => void>();
let cached: { text: string | null; submission: LostSubmission | null } = { text: null, submission: null };

const isLostSubmission = (value: unknown): value is LostSubmission =>
  isRecord(value) &&
  typeof value.at === 'number' &&
  ['key', 'terminalId', 'device', 'invoiceId', 'about', 'amount', 'currency'].every((name) => isText(value[name]));

function readLostSubmission(): LostSubmission | null {
  const text = sessionStorage.getItem(STORAGE_KEY);
  // The same text must return the same object, since React compares the values.
  if (text !== cached.text) cached = { text, submission: parseSubmission(text) };
  return cached.submission;
}

function parseSubmission(text: string | null): LostSubmission | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isLostSubmission(value) ? value : null;
  } catch {
    return null;
  }
}

export function storeLostSubmission(submission: LostSubmission | null): void {
  if (submission) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(submission));
  else sessionStorage.removeItem(STORAGE_KEY);
  for (const listener of listeners) listener();
}

export const useLostSubmission = (): LostSubmission | null =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readLostSubmission);

const POLL_MS = 1_500;
/** If no sale exists after this time (ms), the submission never reached the server. No request takes that long. */
const NOT_STARTED_AFTER_MS = 60_000;

/** `isOwnTerminal` is true if the card reader belongs to this account. */
type Props = { submission: LostSubmission; isOwnTerminal: boolean; onShow(saleId: string): void };

/** Shows a submission that got no reply, until it is known whether it started a sale. */
export function LostSale({ submission, isOwnTerminal, onShow }: Props) {
  const [isOffline, setOffline] = useState(true);
  const [isNotStarted, setNotStarted] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const poll = async (): Promise<boolean> => {
    const answer = await fetchSaleOfSubmission(submission);
    if (answer.ok) {
      storeLostSubmission(null);
      onShow(answer.value.sale.id);
      return true;
    }
    const isNotFound = answer.error.status === 404;
    setOffline(!isNotFound);
    setNotStarted(isNotFound && isOwnTerminal && Date.now() - submission.at > NOT_STARTED_AFTER_MS);
    return isNotFound;
  };
  usePoll(poll, isNotStarted ? null : POLL_MS);

  return (
    <section className="card take-sale" aria-labelledby="take-lost">
      <h2 id="take-lost" className="take-head" tabIndex={-1} ref={heading}>
        <span className="take-amount">{moneyOf(submission.amount, submission.currency)}</span> on {submission.device}
      </h2>
      <p className="take-about">{submission.about}</p>
      {isNotStarted ? (
        <>
          <Banner tone="note" lead="The sale was not started.">
            It did not reach us. Nothing was charged.
          </Banner>
          <div className="take-actions">
            <Button kind="primary" onClick={() => storeLostSubmission(null)}>
              Take a payment
            </Button>
          </div>
        </>
      ) : (
        <Banner tone="warn" role="alert" lead={MAY_STILL_CHARGE}>
          {isOffline ? 'There is no connection right now. ' : ''}This screen shows the outcome as soon as we are
          connected.
        </Banner>
      )}
    </section>
  );
}
