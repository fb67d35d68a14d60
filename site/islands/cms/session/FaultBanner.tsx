import type { Ref } from 'react';
import type { Fault } from '../../ui/answers.ts';
import { Banner } from '../../ui/Banner.tsx';

type Props = { fault: Fault | null; lead: string; ref: Ref<HTMLDivElement>; onDismiss(): void };

/** What failed, and then why, where the server says more than that. */
export function FaultBanner({ fault, lead, ref, onDismiss }: Props) {
  if (!fault) return null;
  return (
    <Banner tone="bad" ref={ref} lead={lead} onDismiss={onDismiss}>
      {fault.message !== lead && fault.message}
    </Banner>
  );
}
