import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { AppView } from '#shared/contracts/staff/session';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import type { ClientError } from '../api/api.ts';
import { Lazy } from '../common/Lazy.tsx';
import { RequireRight } from '../common/RequireRight.tsx';
import { fetchMerchant, fetchMerchantData, setUpMerchant } from './api.ts';
import { SupportFooter } from './Support.tsx';

const firstHour = lazyScreen(() => import('../first-hour/FirstHour.tsx').then((code) => code.FirstHour));

type Props = {
  support: AppView['support'];
  /** Called with the data of the merchant, which replaces this screen. */
  onData(data: AppView['data']): void;
};

export function SignUp({ support, onData }: Props) {
  // A name that was refused stays marked as invalid until the next submit.
  const form = useForm({ defaultValues: { dbaName: '' }, reValidateMode: 'onSubmit' });
  const { errors, isSubmitting } = form.formState;
  const [error, setError] = useState<ClientError | null>(null);
  const banner = useRef<HTMLDivElement>(null);

  const reload = async (): Promise<boolean> => {
    const answer = await fetchMerchantData();
    if (answer.ok) onData(answer.value);
    return answer.ok && answer.value.merchant !== null;
  };
  // A colleague may have signed up after the page was rendered.
  const onOpen = useEffectEvent(async () => {
    const answer = await fetchMerchant();
    if (answer.ok && answer.value.merchant) await reload();
  });
  useEffect(() => {
    void onOpen();
  }, []);

  useEffect(() => {
    if (error) banner.current?.focus();
  }, [error]);

  const submit = form.handleSubmit(async ({ dbaName }) => {
    setError(null);
    const answer = await setUpMerchant(dbaName);
    // The data is also reloaded after a failure, since the merchant may exist although the reply was lost.
    const isSignedUp = answer.ok || answer.error.code !== 'invalid' ? await reload() : false;
    if (answer.ok || isSignedUp) return;
    if (!answer.error.fields.includes('dbaName')) return setError(answer.error);
    form.setError('dbaName', { type: 'server', message: answer.error.message }, { shouldFocus: true });
  });

  return (
    <>
      <section className="card app-narrow" aria-labelledby="sign-up">
        <h1 id="sign-up" tabIndex={-1}>
          Merchant Account Sign Up
        </h1>
        <RequireRight right="administer" action="sign it up">
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
        </RequireRight>
        <SupportFooter support={support} />
      </section>
      <div className="first-hour-below">
        <Lazy screen={firstHour} props={{ level: 2 }} />
      </div>
    </>
  );
}
