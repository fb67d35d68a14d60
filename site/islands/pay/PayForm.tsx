import { useCallback, useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { type PayField, type PaymentMethod, payFieldLimits, payFields } from '../../../shared/contracts/payment.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { CardFrame } from './CardFrame.tsx';
import type { CardForm } from './card-sdk.ts';
import { ProblemBanner } from './ProblemBanner.tsx';
import type { Phase, Problem } from './phase.ts';
import { type SignatureHandle, SignaturePad } from './SignaturePad.tsx';
import { usePayment } from './use-payment.ts';
import type { Page } from './view.ts';

type TextField = Exclude<PayField, 'signature'>;
type Values = Record<TextField, string>;

const SLOW_MS = 8_000;
// What a person can see: not only spaces and invisible characters.
const VISIBLE = /[^\s\p{Cf}\p{Z}]/u;

const autoComplete: Record<TextField, string> = {
  firstName: 'billing given-name',
  lastName: 'billing family-name',
  address: 'billing address-line1',
  address2: 'billing address-line2',
  city: 'billing address-level2',
  state: 'billing address-level1',
  zip: 'billing postal-code',
};
const names = Object.keys(autoComplete) as TextField[];

type Props = Page & {
  problem: { at: number; what: Problem } | null;
  onProblem(problem: Problem | null): void;
  onPhase(phase: Phase): void;
};

export function PayForm({ view, texts, problem, onProblem, onPhase }: Props) {
  const { register, handleSubmit, formState } = useForm<Values>({ reValidateMode: 'onBlur', shouldFocusError: false });
  const [isUnsigned, setUnsigned] = useState(false);
  const [cardRound, setCardRound] = useState(0);
  const [isLive, setLive] = useState(false);
  const card = useRef<CardForm>(null);
  const method = useRef<PaymentMethod>('card');
  const signature = useRef<SignatureHandle>(null);
  const { processing, pay } = usePayment(view, { onPhase, onProblem, onCardRefused: () => setCardRound((round) => round + 1) });

  const onForm = useCallback((form: CardForm | null) => {
    card.current = form;
  }, []);
  const onType = useCallback((type: PaymentMethod) => {
    method.current = type;
  }, []);
  const onSigned = useCallback(() => setUnsigned(false), []);

  // Before the script runs there is no submit button, so that nothing typed can end up in the address.
  useEffect(() => setLive(true), []);

  const check = (values: Values | null, missing: PayField[]) => {
    const image = signature.current?.take() ?? null;
    setUnsigned(!image);
    if (!image) missing.push('signature');
    if (missing.length > 0) return onProblem({ kind: 'missing', fields: missing });
    if (!values || !image) return;
    onProblem(null);
    return pay(card.current, { ...values, signature: image, paymentType: method.current });
  };
  const submit = handleSubmit(
    (values) => check(values, []),
    (errors) => check(null, names.filter((name) => errors[name])),
  );

  return (
    <form
      className="pay-form"
      noValidate
      aria-busy={processing || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (!processing) void submit(event);
      }}
    >
      {problem && <ProblemBanner key={problem.at} problem={problem.what} onClear={() => onProblem(null)} />}
      <fieldset className="pay-group">
        <legend>
          <h2>Your details</h2>
        </legend>
        <div className="pay-fields">
          {names.map((name) => {
            const label = payFields[name];
            const optional = name === 'address2';
            return (
              <Field
                key={name}
                {...register(name, {
                  validate: (value) => optional || VISIBLE.test(value ?? '') || `Enter your ${label.toLowerCase()}`,
                })}
                id={`pay-${name}`}
                label={label}
                wrapperClass={`pay-field-${name}`}
                optional={optional}
                required={!optional}
                error={formState.errors[name]?.message}
                maxLength={payFieldLimits[name]}
                autoComplete={autoComplete[name]}
                readOnly={processing}
              />
            );
          })}
        </div>
      </fieldset>
      <section className="pay-group" aria-labelledby="pay-card-head">
        <h2 id="pay-card-head">Card details</h2>
        <CardFrame sdk={view.sdk} round={cardRound} onForm={onForm} onType={onType} />
      </section>
      <SignaturePad
        ref={signature}
        readOnly={processing}
        onSigned={onSigned}
        error={isUnsigned ? 'Sign with your finger or mouse, or type your name' : undefined}
      />
      <PayButton amount={texts.amount} processing={processing} isLive={isLive} />
      <p className="pay-safe">
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
