import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { AppView } from '../../../../shared/contracts/session.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { Button } from '../../ui/form/Button.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { api } from '../api/api.ts';
import type { ClientError } from '../api/parse-response.ts';
import { Support } from '../parts/Support.tsx';

type Props = {
  support: AppView['support'];
  /** Reads the merchant again; the screen goes when there is one. */
  onSetUp(): Promise<boolean>;
};

export function SignUp({ support, onSetUp }: Props) {
  const [dbaName, setDbaName] = useState('');
  const [isLoading, setLoading] = useState(false);
  const [fault, setFault] = useState<ClientError | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const banner = useRef<HTMLDivElement>(null);
  const isOfName = fault?.fields.includes('dbaName') ?? false;

  // Somebody else of the business may have signed up since the page was made.
  const onOpen = useEffectEvent(async () => {
    const answer = await api.getMerchant();
    if (answer.ok && answer.value.merchant) await onSetUp();
  });
  useEffect(() => {
    void onOpen();
  }, []);

  useEffect(() => {
    if (fault) (isOfName ? input : banner).current?.focus();
  }, [fault, isOfName]);

  const submit = async () => {
    setLoading(true);
    setFault(null);
    const answer = await api.setUpMerchant(dbaName);
    // Also after a failure: the account may exist although its answer was lost.
    const isMerchant = answer.ok || answer.fault.code !== 'invalid' ? await onSetUp() : false;
    if (!answer.ok && !isMerchant) setFault(answer.fault);
    setLoading(false);
  };

  return (
    <section className="card app-narrow" aria-labelledby="sign-up">
      <h1 id="sign-up" tabIndex={-1}>
        Merchant Account Sign Up
      </h1>
      {fault && !isOfName && <Banner tone="bad" ref={banner} lead={fault.message} onDismiss={() => setFault(null)} />}
      <form
        className="app-form"
        noValidate
        aria-busy={isLoading || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLoading) void submit();
        }}
      >
        <Field
          id="dba-name"
          name="dbaName"
          label="DBA Name:"
          placeholder="Enter DBA Name"
          hint="The name your customers know you by."
          autoComplete="organization"
          ref={input}
          value={dbaName}
          readOnly={isLoading}
          error={isOfName ? fault?.message : undefined}
          onChange={(event) => setDbaName(event.target.value)}
        />
        <Button kind="primary" wide type="submit" busy={isLoading}>
          {isLoading ? 'Loading...' : 'Submit'}
        </Button>
        <p role="status" className="sr-only">
          {isLoading && 'Loading...'}
        </p>
      </form>
      <Support support={support} />
    </section>
  );
}
