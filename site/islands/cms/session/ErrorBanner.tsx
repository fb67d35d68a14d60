import type { Ref } from 'react';
import type { ClientError } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';

type Props = { error: ClientError | null; lead: string; ref: Ref<HTMLDivElement>; onDismiss(): void };

/** The failed action, and the server's reason if there is one. */
export function ErrorBanner({ error, lead, ref, onDismiss }: Props) {
  if (!error) return null;
  return (
    <Banner tone="bad" ref={ref} lead={lead} onDismiss={onDismiss}>
      {error.message !== lead && error.message}
    </Banner>
  );
}
