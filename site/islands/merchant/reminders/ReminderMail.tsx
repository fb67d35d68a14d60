import type { Reminders } from '#shared/contracts/reminders';
import type { When } from '#shared/contracts/reminders-request';

type Props = { sample: Reminders['sample']; when: When; onWhen(when: When): void };

const NAMES: Record<When, string> = { before: 'Before', on: 'On the day', after: 'After' };

/** What a payer reads, drawn from a real invoice. */
export function ReminderMail({ sample, when, onWhen }: Props) {
  const mail = sample?.mails[when];
  return (
    <section className="reminders-mail">
      <h3>What they get, for example</h3>
      <fieldset>
        <legend className="sr-only">Which reminder</legend>
        {Object.entries(NAMES).map(([value, name]) => (
          <label key={value}>
            <input
              className="sr-only"
              type="radio"
              name="when"
              checked={value === when}
              onChange={() => onWhen(value as When)}
            />
            {name}
          </label>
        ))}
      </fieldset>
      {sample && mail ? (
        <div className="reminders-letter">
          <p>
            <strong>{mail.subject}</strong>
            <small>to {mail.to}</small>
          </p>
          <div>
            <p>{mail.greeting}</p>
            <p>{mail.what}</p>
            <p className="reminders-sum">{sample.amount}</p>
            <p>
              <span className="button button-primary">View and pay</span>
            </p>
            {sample.reach && <small>Questions? {sample.reach}</small>}
            <small>{sample.stop}</small>
          </div>
        </div>
      ) : (
        <p>There is no open invoice yet that a reminder could be about.</p>
      )}
    </section>
  );
}
