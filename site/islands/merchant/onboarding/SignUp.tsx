import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { AppView } from '../../../../shared/contracts/session.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Button } from '../../ui/form/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { api } from '../api/api.ts';
import type { ClientError } from '../api/parse-response.ts';
import { Support } from '../parts/Support.tsx';

type Props = {
  support: AppView['support'];
  /** Reads the merchant again; this screen goes once there is one. */
  onSetUp(): Promise<boolean>;
};

export function SignUp({ support, onSetUp }: Props) {
  // A refused name is wrong until it is sent again.
  const form = useForm({ defaultValues: { dbaName: '' }, reValidateMode: 'onSubmit' });
  const { errors, isSubmitting } = form.formState;
  const [error, setError] = useState<ClientError | null>(null);
  const banner = useRef<HTMLDivElement>(null);

  // A colleague may have signed up since the page was made.
  const onOpen = useEffectEvent(async () => {
    const answer = await api.getMerchant();
    if (answer.ok && answer.value.merchant) await onSetUp();
  });
  useEffect(() => {
    void onOpen();
  }, []);

  useEffect(() => {
    if (error) banner.current?.focus();
  }, [error]);

  const submit = form.handleSubmit(async ({ dbaName }) => {
    setError(null);
    const answer = await api.setUpMerchant(dbaName);
    // After a failure too: the account may exist although its reply was lost.
    const isMerchant = answer.ok || answer.error.code !== 'invalid' ? await onSetUp() : false;
    if (answer.ok || isMerchant) return;
    if (!answer.error.fields.includes('dbaName')) return setError(answer.error);
    form.setError('dbaName', { type: 'server', message: answer.error.message }, { shouldFocus: true });
  });

  return (
    <section className="card app-narrow" aria-labelledby="sign-up">
      <h1 id="sign-up" tabIndex={-1}>
        Merchant Account Sign Up
      </h1>
      {error && <Banner tone="bad" ref={banner} lead={error.message} onDismiss={() => setError(null)} />}
      <form
        className="app-form"
        noValidate
        aria-busy={isSubmitting || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSubmitting) void submit(event);
        }}
      >
        <Field
          id="dba-name"
          label="DBA Name:"
          placeholder="Enter DBA Name"
          hint="The name your customers know you by."
          autoComplete="organization"
          readOnly={isSubmitting}
          error={errors.dbaName?.message}
          {...form.register('dbaName')}
        />
        <Button kind="primary" wide type="submit" busy={isSubmitting}>
          {isSubmitting ? 'Loading...' : 'Submit'}
        </Button>
        <p role="status" className="sr-only">
          {isSubmitting && 'Loading...'}
        </p>
      </form>
      <Support support={support} />
    </section>
  );
}
