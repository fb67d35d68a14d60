import { useState } from 'react';
import type { Unrecorded as Payment, WriteBack } from '../../../../../shared/contracts/write-back.ts';
import { partners } from '../../../../../shared/partners.ts';
import { saveFile } from '../../../ui/api/save-file.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import { Button } from '../../../ui/form/Button.tsx';
import { FieldError } from '../../../ui/form/FieldError.tsx';
import { formatSince } from '../../../ui/format-moment.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Money } from '../../../ui/Money.tsx';
import { AppLink } from '../../../ui/routing/router.tsx';
import { ResolveDialog } from '../../reconciliation/ResolveDialog.tsx';
import { fetchFile, noteByHand } from './api.ts';

const CRM = partners.crm;
const TITLE = `Paid here, not in ${CRM}`;

type Props = { view: WriteBack; onChanged(view: WriteBack): void };

/** What somebody has to enter into the CRM, with what became of our own attempt. */
export function Unrecorded({ view: { unrecorded, looked_at }, onChanged }: Props) {
  const [asked, setAsked] = useState<Payment | null>(null);
  return (
    <section className="card account-part" aria-labelledby="unrecorded">
      <h2 id="unrecorded">{TITLE}</h2>
      <p className="app-quiet">{summaryOf(looked_at, unrecorded.length)}</p>
      {unrecorded.length > 0 && <SaveList />}
      {unrecorded.length > 0 && (
        <ul className="account-rows">
          {unrecorded.map((payment) => (
            <Row key={payment.id} payment={payment} onAsk={() => setAsked(payment)} />
          ))}
        </ul>
      )}
      {asked && (
        <ResolveDialog
          question={{
            title: `Recorded the payment of ${asked.invoice_number} by hand?`,
            verb: 'Recorded by hand',
            follows: `It leaves this list, and Tillway does not record it in ${CRM} any more.`,
            async say(note) {
              const answer = await noteByHand(asked.id, note);
              if (!answer.ok) return answer;
              onChanged(answer.value);
              return { ...answer, value: `The payment of ${asked.invoice_number} is noted as recorded by hand.` };
            },
          }}
          onDone={(said) => {
            setAsked(null);
            toast(said);
          }}
          onCancel={() => setAsked(null)}
        />
      )}
    </section>
  );
}

function summaryOf(lookedAt: number, missing: number): string {
  if (lookedAt === 0) return 'No payment was taken here yet.';
  const which = lookedAt === 1 ? 'Of the one payment' : `Of the newest ${lookedAt} payments`;
  const many = missing === 0 ? 'none is missing' : missing === 1 ? 'one is missing' : `${missing} are missing`;
  return `${which}, ${many} in ${CRM}. Payments that were given back are left out.`;
}

function Row({ payment, onAsk }: { payment: Payment; onAsk(): void }) {
  const { invoice_id, invoice_number, customer, amount, currency, paid_at, transaction_id } = payment;
  return (
    <li>
      <span className="account-main">
        <strong>
          <AppLink href={`/invoice/${encodeURIComponent(invoice_id)}`}>{invoice_number}</AppLink>{' '}
          <Money amount={amount} currency={currency} />
        </strong>
        <span className="account-sub">
          {customer && `${customer}, `}paid {formatSince(paid_at)}, transaction {transaction_id}
        </span>
        <span className="account-sub">{sentenceOf(payment)}</span>
      </span>
      {payment.is_yours && (
        <span className="account-actions">
          <Button size="sm" onClick={onAsk}>
            Recorded by hand<span className="sr-only"> {invoice_number}</span>
          </Button>
        </span>
      )}
    </li>
  );
}

function sentenceOf({ state, why }: Payment): string {
  switch (state) {
    case 'not-told':
      return `${CRM} is not told.`;
    case 'due':
      return 'Will be recorded.';
    case 'sent':
      return `${CRM} was asked and has not answered yet.`;
    case 'refused':
      return `${CRM} did not accept it: ${why}`;
    case 'unknown':
      return `Please look in ${CRM}: ${why}`;
    case 'not_wanted':
      return why;
    case 'nothing_moved':
      return `Recorded, but ${CRM} still shows it as open.`;
  }
}

function SaveList() {
  const [state, setState] = useState<'idle' | 'busy' | { failed: string }>('idle');
  const save = async () => {
    setState('busy');
    const answer = await fetchFile();
    if (!answer.ok) return setState({ failed: answer.error.message });
    saveFile(answer.value, `not-in-${CRM.toLowerCase()}.csv`);
    setState('idle');
  };
  return (
    <div>
      <Button busy={state === 'busy'} onClick={() => void save()}>
        <Icon name="download" size="sm" />
        Export CSV
      </Button>
      {typeof state === 'object' && <FieldError id="unrecorded-file" text={state.failed} />}
    </div>
  );
}
