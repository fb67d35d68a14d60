import { useCallback, useEffect, useRef, useState } from 'react';
import { isOptional, type PaymentMethod, payFieldLimits, payFields } from '../../../shared/contracts/payment.ts';
import { operator } from '../../../shared/operator.ts';
import { Button } from '../ui/form/Button.tsx';
import { Field } from '../ui/form/Field.tsx';
import { type SignatureHandle, SignaturePad } from '../ui/form/SignaturePad.tsx';
import { Icon } from '../ui/Icon.tsx';
import { CardFrame } from './CardFrame.tsx';
import type { CardForm } from './card-sdk.ts';
import { ProblemBanner } from './ProblemBanner.tsx';
import type { Page } from './pay-view.ts';
import type { Problem } from './phase.ts';
import { type TextField, textFields, useFields } from './use-fields.ts';
import type { Payment } from './use-payment.ts';

const SLOW_MS = 8_000;

const WORDS = {
  card: 'Card details',
  brands: 'Cards that are taken',
  expiry: 'Expiration: month and year, as MM / YY on the card.',
};

const autoComplete: Record<TextField, string> = {
  firstName: 'billing given-name',
  lastName: 'billing family-name',
  address: 'billing address-line1',
  address2: 'billing address-line2',
  city: 'billing address-level2',
  state: 'billing address-level1',
  zip: 'billing postal-code',
};

type Props = Page & {
  payment: Payment;
  problem: { at: number; what: Problem } | null;
  onProblem(problem: Problem | null): void;
};

export function PayForm({ view, texts, payment, problem, onProblem }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const fields = useFields(form);
  const [isUnsigned, setUnsigned] = useState(false);
  const [isLive, setLive] = useState(false);
  const card = useRef<CardForm>(null);
  const method = useRef<PaymentMethod>('card');
  const signature = useRef<SignatureHandle>(null);
  const { processing, cardRound, pay } = payment;

  const onForm = useCallback((opened: CardForm | null) => {
    card.current = opened;
  }, []);
  const onType = useCallback((type: PaymentMethod) => {
    method.current = type;
  }, []);
  const onSigned = useCallback(() => setUnsigned(false), []);

  // No submit button before the script runs: a plain submit would put the fields into the address.
  useEffect(() => setLive(true), []);

  const submit = () => {
    const { values, missing } = fields.check();
    const image = signature.current?.take() ?? null;
    setUnsigned(!image);
    if (!image || missing.length > 0) {
      return onProblem({ kind: 'missing', fields: image ? missing : [...missing, 'signature'] });
    }
    onProblem(null);
    void pay(card.current, { ...values, signature: image, paymentType: method.current });
  };

  return (
    <form
      className="pay-form"
      ref={form}
      noValidate
      aria-busy={processing || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (!processing) submit();
      }}
    >
      {problem && <ProblemBanner key={problem.at} problem={problem.what} onClear={() => onProblem(null)} />}
      <section className="pay-group" aria-labelledby="pay-card-head">
        <div className="card-head">
          <h2 id="pay-card-head">{WORDS.card}</h2>
          <ul className="card-brands" aria-label={WORDS.brands}>
            {operator.cards.map((brand) => (
              <li key={brand}>{brand}</li>
            ))}
          </ul>
        </div>
        <CardFrame key={cardRound} sdk={view.sdk} onForm={onForm} onType={onType} onRetry={payment.reopenCard} />
        <p className="hint">{WORDS.expiry}</p>
      </section>
      <fieldset className="pay-group">
        <legend>
          <h2>Your details</h2>
        </legend>
        <div className="pay-fields">
          {textFields.map((name) => (
            <Field
              key={name}
              id={`pay-${name}`}
              name={name}
              label={payFields[name]}
              wrapperClass={`pay-field-${name}`}
              optional={isOptional(name)}
              required={!isOptional(name)}
              error={fields.errors[name]}
              maxLength={payFieldLimits[name]}
              autoComplete={autoComplete[name]}
              readOnly={processing}
              onBlur={fields.onBlur}
            />
          ))}
        </div>
      </fieldset>
      <SignaturePad
        id="pay-signature"
        ref={signature}
        readOnly={processing}
        onSigned={onSigned}
        error={isUnsigned ? 'Sign with your finger or mouse, or type your name' : undefined}
      />
      <PayButton amount={texts.amount} processing={processing} isLive={isLive} />
      <p className="pay-safe">
        <Icon name="lock" size="sm" />
        Your card details go straight to <span data-fill="provider">{texts.provider}</span>.{' '}
        <span data-fill="business">{texts.business}</span> never sees them.
      </p>
    </form>
  );
}

function PayButton({ amount, processing, isLive }: { amount: string; processing: boolean; isLive: boolean }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!processing) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => {
      clearTimeout(timer);
      setSlow(false);
      window.removeEventListener('beforeunload', ask);
    };
  }, [processing]);

  return (
    <div className="pay-submit">
      <Button kind="primary" size="lg" wide type={isLive ? 'submit' : 'button'} busy={processing}>
        {processing ? (
          'Processing...'
        ) : (
          <span>
            Pay{' '}
            <span className="money" data-fill="amount">
              {amount}
            </span>
          </span>
        )}
      </Button>
      <p role="status" className={isSlow ? 'pay-slow' : 'sr-only'}>
        {processing && (isSlow ? 'Still working. Keep this page open.' : 'Processing...')}
      </p>
    </div>
  );
}
