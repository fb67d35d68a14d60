import { useState } from 'react';
import {
  type NoticeChoice,
  PaymentNotices as Notices,
  type PaymentNoticesBody,
} from '#shared/contracts/staff/account-settings';
import { api, sendJson } from '#site/islands/merchant/api/api.ts';
import { LoadFailure, type LoadState } from '#site/islands/merchant/common/use-load.tsx';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import '#site/styles/parts/form/switch.css';

const NOTICES_PATH = '/api/payment-notices';
const readNotices = readWith(Notices);
export const fetchNotices = () => api.call(NOTICES_PATH, readNotices);
const saveNotices = (choice: NoticeChoice) =>
  api.call(NOTICES_PATH, readNotices, sendJson<PaymentNoticesBody>('PUT', { how: choice }));

const choices: [NoticeChoice, string, string][] = [
  ['never', 'Never', 'You get no email about paid links.'],
  ['at-once', 'At once', 'You get an email about each link that is paid.'],
  ['daily', 'Once a day', 'You get an email at 8:00 AM about the day before.'],
];
const TITLE = 'Email me when a payment link is paid';

/** The logged-in user's own setting for emails about paid links. */
export function PaymentNotices({ load }: { load: LoadState<Notices> }) {
  const [saved, setSaved] = useState<Notices | null>(null);
  const [failure, setFailure] = useState('');
  const [isSaving, setSaving] = useState(false);
  const notices = saved ?? load.value;
  const saveChoice = async (choice: NoticeChoice) => {
    setSaving(true);
    setFailure('');
    const answer = await saveNotices(choice);
    setSaving(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setSaved(answer.value);
    toast(describeChoice(answer.value.how));
  };
  const hasAddress = notices !== null && notices.to !== '';
  return (
    <section className="card account-part" aria-labelledby="payment-notices" aria-busy={isSaving || undefined}>
      <h2 id="payment-notices">{TITLE}</h2>
      <LoadFailure lead="Your email setting could not be loaded." load={load} />
      {failure && (
        <LateBanner tone="warn" lead="Your choice was not saved.">
          {failure}
        </LateBanner>
      )}
      <fieldset className="switch" aria-label={TITLE}>
        {choices.map(([choice, name]) => (
          <button
            key={choice}
            type="button"
            aria-pressed={notices?.how === choice}
            disabled={!hasAddress || isSaving}
            onClick={() => void saveChoice(choice)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      {notices && (
        <p className="app-quiet">
          {hasAddress ? `To ${notices.to}. ${describeChoice(notices.how)}` : 'We have no email address for you.'}
        </p>
      )}
    </section>
  );
}

const describeChoice = (value: NoticeChoice): string => choices.find(([choice]) => choice === value)?.[2] ?? '';
