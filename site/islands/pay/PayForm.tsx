import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { addressFields, fullName, type PaymentMethod } from '#shared/contracts/payment';
import { operatorCards } from '#shared/operator-cards';
import { moneyIn } from '#shared/words/formats';
import { Button } from '../ui/form/Button.tsx';
import '#site/styles/parts/page/icon.css';
import { CardFrame } from './CardFrame.tsx';
import type { CardForm } from './card-sdk.ts';
import { PayerFields, textFields, useFields } from './Details.tsx';
import { AmountChoice, useChosenAmount } from './Part.tsx';
import { AddressOnFile, FilledPhrase, ON_FILE_ID } from './PayAs.tsx';
import { ProblemBanner } from './ProblemBanner.tsx';
import type { Page } from './pay-view.ts';
import type { AddressRequest, Problem } from './phase.ts';
import { Signing, type SigningHandle } from './Signing.tsx';
import type { Payment } from './use-payment.ts';
import type { WalletSource } from './wallet/shared-form.ts';
import { usePayWords } from './words.ts';

const SLOW_MS = 8_000;

// This icon is from Lucide, like the others. It is defined here because no other page uses it.
const LOCK_ICON = 'M7 11V7a5 5 0 0 1 10 0v4M5 11h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2z';

const NAME_FIELDS = textFields.filter((field) => !addressFields.some((name) => name === field));

type Props = Pick<Page, 'view' | 'texts'> & {
  payment: Payment;
  problem: { id: number; details: Problem } | null;
  onProblem(problem: Problem | null): void;
};

const isOnFileTicked = () => (document.getElementById(ON_FILE_ID) as HTMLInputElement | null)?.checked === true;

/** Manages whether the payer uses the address on file or enters one. */
function usePayer({ texts, problem }: Props) {
  const [isOnFile, setOnFile] = useState(texts.payAs !== null);
  const [reason, setReason] = useState<AddressRequest>(null);
  const [isUnticked, setUnticked] = useState(false);
  const [name, setName] = useState(texts.signer ?? '');
  const requestedAddress = problem?.details.kind === 'refused' ? problem.details.address : null;
  // Each problem opens the fields only once, so that the payer may choose the address on file again.
  const [openedForId, setOpenedForId] = useState<number>();
  const openFields = (reason: AddressRequest) => {
    setOnFile(false);
    setReason(reason);
    setUnticked(false);
  };
  // The address on file may be the cause, so the form asks for another one and states the reason.
  if (requestedAddress && openedForId !== problem?.id) {
    setOpenedForId(problem?.id);
    if (isOnFile) openFields(requestedAddress);
  }
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    const field = (event.target as HTMLInputElement).name;
    if (field !== 'firstName' && field !== 'lastName') return;
    const data = new FormData(event.currentTarget);
    setName(fullName(String(data.get('firstName')), String(data.get('lastName'))));
  };
  const enterOtherAddress = () => {
    flushSync(() => openFields(null));
    document.getElementById('pay-firstName')?.focus();
  };
  const returnToAddressOnFile = () => {
    flushSync(() => setOnFile(true));
    document.getElementById(ON_FILE_ID)?.focus();
  };
  const canGoBack = texts.payAs !== null && !isOnFile && reason !== 'incomplete';
  return {
    isOnFile,
    reason,
    isUnticked,
    setUnticked,
    name,
    onInput,
    change: enterOtherAddress,
    back: canGoBack ? returnToAddressOnFile : null,
  };
}

export function PayForm(props: Props) {
  const { view, texts, payment, problem, onProblem } = props;
  const { language, form: words, empty, outcome } = usePayWords();
  const form = useRef<HTMLFormElement>(null);
  const fields = useFields(form, empty);
  const payer = usePayer(props);
  const [isUnsigned, setUnsigned] = useState(false);
  const [isLive, setLive] = useState(false);
  const [card, setCard] = useState<CardForm | null>(null);
  const [hasWallet, setHasWallet] = useState(false);
  const [type, setType] = useState<PaymentMethod>('card');
  const signing = useRef<SigningHandle>(null);
  const { processing, cardRound, pay } = payment;
  const amountChoice = useChosenAmount(view);
  const isBank = type === 'ach';
  const heading = isBank ? words.paymentDetails : words.cardDetails;

  const onSigned = useCallback(() => setUnsigned(false), []);

  // There is no submit button before this script runs, since a plain submit would put the fields into the URL.
  useEffect(() => setLive(true), []);

  /** With a `wallet`, the card and address come from there. Returns 'ready' if only the wallet's token is missing. */
  const submit = (wallet?: WalletSource) => {
    const { values, missing } = fields.check(wallet || payer.isOnFile ? NAME_FIELDS : textFields);
    const isUnticked = !wallet && payer.isOnFile && !isOnFileTicked();
    // The amount is validated here, so that its field shows an error even if other fields are missing.
    const chosenAmount = amountChoice.take();
    const signature = signing.current?.takeSignature() ?? null;
    setUnsigned(!signature);
    payer.setUnticked(isUnticked);
    if (!signature || isUnticked || missing.length > 0) {
      const otherFields = [
        ...(isUnticked ? (['onFile'] as const) : []),
        ...(signature ? [] : (['signature'] as const)),
      ];
      return onProblem({ kind: 'missing', fields: [...missing, ...otherFields] });
    }
    if (!chosenAmount) return onProblem(null);
    onProblem(null);
    if (wallet && !wallet.requestToken) return 'ready';
    const { firstName, lastName } = values;
    const details = wallet
      ? { firstName, lastName, wallet: wallet.name, paymentType: 'card' as const }
      : payer.isOnFile
        ? { firstName, lastName, addressOnFile: true as const }
        : values;
    void pay(wallet ?? card, {
      paymentType: type,
      ...details,
      ...signature,
      ...(chosenAmount.part && { part: chosenAmount.part }),
    });
  };

  // The wallets are a separate island, which gets the state of the form from here.
  useEffect(() => {
    window.tillwayForm = { card, choice: amountChoice.choice, submit, setHasWallet };
    dispatchEvent(new Event('tillway-form'));
  });
  const signingSection = (
    <Signing
      texts={texts}
      name={payer.name}
      ref={signing}
      readOnly={processing}
      onSigned={onSigned}
      isUnsigned={isUnsigned}
    />
  );

  return (
    <form
      className="pay-form"
      ref={form}
      noValidate
      aria-busy={processing || undefined}
      onInput={payer.onInput}
      onSubmit={(event) => {
        event.preventDefault();
        if (!processing) submit();
      }}
    >
      {problem && (
        <ProblemBanner
          key={problem.id}
          problem={problem.details}
          timeZone={view.timeZone}
          onClear={() => onProblem(null)}
        />
      )}
      {texts.part !== null && (
        <div className="pay-part-box" data-row="part">
          {isLive && view.parts && (
            <AmountChoice
              view={view}
              parts={view.parts}
              readOnly={processing}
              isInvalid={amountChoice.isWrong}
              onChoose={amountChoice.choose}
            />
          )}
        </div>
      )}
      {hasWallet && signingSection}
      {(view.applePay || view.googlePay) && (
        <div className="pay-wallet" data-row="wallet">
          {''}
        </div>
      )}
      <section className="pay-group" aria-labelledby="pay-card-head">
        <div className="card-head">
          <h2 id="pay-card-head">{heading}</h2>
          {texts.cardOnly !== null && <span className="card-only" data-row="cardOnly" hidden />}
          {!isBank && (
            <ul className="card-brands" aria-label={words.brands}>
              {operatorCards.map((brand) => (
                <li key={brand}>{brand}</li>
              ))}
            </ul>
          )}
        </div>
        <CardFrame
          key={cardRound}
          title={heading}
          sdk={view.sdk}
          isCardOnly={texts.cardOnly !== null}
          onFormChange={setCard}
          onTypeChange={setType}
          onRetry={payment.reopenCard}
        />
        <p className="hint">{isBank ? outcome.bankTakes : words.expiry}</p>
      </section>
      {payer.isOnFile && (
        <AddressOnFile
          texts={texts}
          type={type}
          isUnticked={payer.isUnticked}
          readOnly={processing}
          onTick={() => payer.setUnticked(false)}
          onChange={payer.change}
        />
      )}
      <PayerFields view={view} fields={fields} reason={payer.reason} readOnly={processing} onBack={payer.back} />
      {!hasWallet && signingSection}
      <PayButton
        amount={amountChoice.choice ? moneyIn(language, amountChoice.choice.cents, view.invoice.currency) : ''}
        processing={processing}
        isLive={isLive}
      />
      <p className="pay-safe">
        <svg className="icon icon-sm" viewBox="0 0 24 24" aria-hidden="true">
          <path d={LOCK_ICON} />
        </svg>
        <FilledPhrase
          phrase={isBank ? words.bankDetailsGoTo : words.cardDetailsGoTo}
          name="provider"
          text={texts.provider}
        />{' '}
        <FilledPhrase phrase={words.neverSees} name="business" text={texts.business} />
      </p>
    </form>
  );
}

function PayButton({ amount, processing, isLive }: { amount: string; processing: boolean; isLive: boolean }) {
  const { form: words } = usePayWords();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!processing) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', confirmLeaving);
    return () => {
      clearTimeout(timer);
      setSlow(false);
      window.removeEventListener('beforeunload', confirmLeaving);
    };
  }, [processing]);

  return (
    <div className="pay-submit">
      <Button kind="primary" size="lg" wide type={isLive ? 'submit' : 'button'} busy={processing}>
        {processing ? (
          words.processing
        ) : (
          <span>
            <FilledPhrase phrase={words.pay} name="amount" text={amount} className="money" />
          </span>
        )}
      </Button>
      <p role="status" className={isSlow ? 'pay-slow' : 'sr-only'}>
        {processing && (isSlow ? words.slow : words.processing)}
      </p>
    </div>
  );
}
