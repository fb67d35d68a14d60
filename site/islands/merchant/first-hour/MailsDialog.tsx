import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { fetchMails } from './first-hour.ts';

const mailNames = { 'pay-link': 'With a payment link', receipt: 'After a payment' } as const;

type Props = { onSeen(): void; onCancel(): void };

/** Previews of the emails to customers for a real invoice of the clinic. The links in them do not work. */
export function MailsDialog({ onSeen, onCancel }: Props) {
  const load = useLoad('mails', 'Failed to fetch the mails', fetchMails);
  const mails = load.value;
  return (
    <Dialog
      title="Is this what your customers should get?"
      confirmLabel="It looks right"
      busy={false}
      failure={null}
      onConfirm={onSeen}
      onCancel={onCancel}
    >
      <LoadFailure lead="The mails could not be loaded." load={load} />
      {!mails && !load.failure && <p role="status">Loading...</p>}
      {mails?.length === 0 && <p>There is no invoice for an example yet.</p>}
      {mails?.map(({ kind, subject, text }) => (
        <section key={kind} className="first-hour-mail" aria-label={mailNames[kind]}>
          <h3>{mailNames[kind]}</h3>
          <p>
            <strong>{subject}</strong>
          </p>
          <p className="first-hour-text">{text.trim()}</p>
        </section>
      ))}
      {mails && !mails.some(({ kind }) => kind === 'receipt') && (
        <p>The receipt appears here after the first payment.</p>
      )}
    </Dialog>
  );
}
