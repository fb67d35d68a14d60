import { type FormEvent, useState } from 'react';
import type { Team } from '#shared/contracts/staff/team';
import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { saveRefundLimit, saveSecondPerson } from '../api.ts';

type Props = { team: Team; onChanged(): void };

/** Settings for the refund limit of managers, and for the amount above which a second person is needed. */
export function RefundRights({ team, onChanged }: Props) {
  const rule = team.second_person;
  return (
    <section className="card account-part" aria-labelledby="refund-rights">
      <h2 id="refund-rights">Refunds and voids</h2>
      <AmountForm
        id="refund-limit"
        label="Limit of a manager’s refunds and voids in 24 hours"
        hint="In dollars. Leave it empty if only administrators may refund."
        value={team.refund_limit}
        save={saveRefundLimit}
        onSaved={onChanged}
      />
      <AmountForm
        id="second-person"
        label="Amount above which a second person approves"
        hint="In dollars. Leave it empty if one person is enough."
        value={rule.second_person}
        save={saveSecondPerson}
        onSaved={onChanged}
      />
      {rule.second_person && !rule.is_in_force && <Banner tone="warn">{rule.message}</Banner>}
    </section>
  );
}

type FormProps = {
  id: string;
  label: string;
  hint: string;
  /** The amount as decimal text, or null if none is set. */
  value: string | null;
  save(amount: string | null): Promise<Answer<unknown>>;
  onSaved(): void;
};

function AmountForm({ id, label, hint, value, save, onSaved }: FormProps) {
  const [amount, setAmount] = useState(value ?? '');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const send = async () => {
    setBusy(true);
    setError(undefined);
    const typed = amount.trim().replace(/^\$/, '');
    const answer = await save(typed === '' ? null : typed);
    setBusy(false);
    if (!answer.ok) {
      setError(answer.error.message);
      return document.getElementById(id)?.focus();
    }
    toast('Saved.');
    onSaved();
  };
  return (
    <form
      className="account-amount"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!isBusy) void send();
      }}
    >
      <Field
        id={id}
        label={label}
        hint={hint}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        error={error}
        onChange={({ target }) => setAmount(target.value)}
      />
      <Button type="submit" busy={isBusy}>
        Save<span className="sr-only"> {label.charAt(0).toLowerCase() + label.slice(1)}</span>
      </Button>
    </form>
  );
}
