import { useState } from 'react';
import { PaymentNotices as Own } from '#shared/contracts/payment-notices';
import type { NoticeChoice, PaymentNoticesBody } from '#shared/contracts/payment-notices-request';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/toast.ts';
import { api, sendJson } from '../api/api.ts';
import { LoadFailure } from '../parts/LoadFailure.tsx';
import { useLoad } from '../parts/use-load.ts';
import '#site/styles/parts/form/switch.css';

const PATH = '/api/payment-notices';
const read = readWith(Own);
const fetchOwn = () => api.call(PATH, read);
const saveOwn = (how: NoticeChoice) => api.call(PATH, read, sendJson<PaymentNoticesBody>('PUT', { how }));

const choices: [NoticeChoice, string, string][] = [
  ['never', 'Never', 'You get no email about paid links.'],
  ['at-once', 'At once', 'You get an email about each link that is paid.'],
  ['daily', 'Once a day', 'You get an email at 8:00 about the day before.'],
];

/** When the person who is logged in gets a mail about paid links: their own choice, which nobody else sees. */
export function PaymentNotices() {
  const load = useLoad('payment-notices', 'Failed to fetch which emails you get', fetchOwn);
  const [saved, setSaved] = useState<Own | null>(null);
  const [failure, setFailure] = useState('');
  const [isSaving, setSaving] = useState(false);
  const own = saved ?? load.value;
  const choose = async (how: NoticeChoice) => {
    setSaving(true);
    setFailure('');
    const answer = await saveOwn(how);
    setSaving(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setSaved(answer.value);
    toast(wordsOf(answer.value.how));
  };
  const hasAddress = own !== null && own.to !== '';
  return (
    <section
      className="card account-part"
      aria-labelledby="payment-notices"
      aria-busy={(!own && !load.failure) || isSaving}
    >
      <h2 id="payment-notices">Email me when a payment link is paid</h2>
      <LoadFailure lead="Which emails you get could not be loaded." load={load} />
      {failure && (
        <Banner tone="warn" lead="Your choice was not saved.">
          {failure}
        </Banner>
      )}
      <fieldset className="switch" aria-label="Email me when a payment link is paid">
        {choices.map(([how, name]) => (
          <button
            key={how}
            type="button"
            aria-pressed={own?.how === how}
            disabled={!hasAddress || isSaving}
            onClick={() => void choose(how)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <p className="app-quiet">
        {own ? (hasAddress ? `To ${own.to}. ` : 'We do not know your address.') : 'Loading...'}
        {hasAddress && wordsOf(own.how)}
      </p>
    </section>
  );
}

const wordsOf = (how: NoticeChoice): string => choices.find(([choice]) => choice === how)?.[2] ?? '';
