import { type Ref, useEffect, useRef, useState } from 'react';
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import type { ClientError } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';

type Props = { error: ClientError | null; lead: string; ref: Ref<HTMLDivElement>; onDismiss(): void };

/** Shows which action failed and, if there is one, the server's reason. */
export function ErrorBanner({ error, lead, ref, onDismiss }: Props) {
  if (!error) return null;
  return (
    <Banner tone="bad" ref={ref} lead={lead} onDismiss={onDismiss}>
      {error.message !== lead && error.message}
    </Banner>
  );
}

/** Shows the server's error at its field if the form has that field, otherwise in the banner, and focuses it. */
export function useError<Values extends FieldValues>(form: UseFormReturn<Values>, names: Path<Values>[]) {
  const [error, setError] = useState<ClientError | null>(null);
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) banner.current?.focus();
  }, [error]);

  const show = (refusal: ClientError) => {
    const fields = names.filter((name) => refusal.fields.includes(name));
    for (const [index, name] of fields.entries())
      form.setError(name, { type: 'server', message: refusal.message }, { shouldFocus: index === 0 });
    setError(fields.length > 0 ? null : refusal);
  };
  return { error, banner, show, clear: () => setError(null) };
}

/** Explains that an owner still has to approve the account. */
export function PendingCard({ onBack }: { onBack(): void }) {
  return (
    <section className="card app-narrow" aria-labelledby="pending">
      <h1 id="pending" tabIndex={-1} className="sign-in-waiting">
        <Icon name="clock" />
        Your account is waiting for the owner.
      </h1>
      <p>An owner of this site has to approve your account. After that, log in here with your email and password.</p>
      <p className="sign-in-links">
        <button type="button" className="text-button" onClick={onBack}>
          Back to the login
        </button>
      </p>
    </section>
  );
}
