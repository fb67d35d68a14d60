import { useState } from 'react';
import type { Unrecorded as Entry, WriteBack } from '#shared/contracts/payments/write-back';
import { partners } from '#shared/partners';
import { hasRight } from '#site/islands/merchant/common/app-view.ts';
import { ResolveDialog } from '#site/islands/merchant/reconciliation/ResolveDialog.tsx';
import { saveFile } from '#site/islands/ui/api/save-file.ts';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { FieldError } from '#site/islands/ui/form/Field.tsx';
import { formatSince } from '#site/islands/ui/format-moment.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { fetchWriteBack, fetchWriteBackFile, markRecordedByHand } from '../api.ts';

const CRM_NAME = partners.crm;
const TITLE = `Paid here, not in ${CRM_NAME}`;

type Props = { view: WriteBack; onChanged(view: WriteBack): void };

/** Lists the payments that the CRM lacks, each with the result of our attempt to record it. */
export function UnrecordedPayments({ view, onChanged }: Props) {
  const { unrecorded, looked_at, next } = view;
  const [selected, setSelected] = useState<Entry | null>(null);
  return (
    <section className="account-inner" aria-labelledby="unrecorded">
      <h3 id="unrecorded">{TITLE}</h3>
      <p className="app-quiet">{summarize(looked_at, unrecorded)}</p>
      {unrecorded.some(({ is_yours }) => is_yours) && (
        <p>
          For each row with a button, enter the payment in {CRM_NAME}, or do what the row says. Then press Recorded by
          hand to remove it from this list.
          {unrecorded.some(({ is_yours }) => !is_yours) && ' The others are still being recorded.'}
        </p>
      )}
      {unrecorded.length > 0 && <SaveList />}
      {unrecorded.length > 0 && (
        <ul className="account-rows">
          {unrecorded.map((entry) => (
            <Row key={entry.id} entry={entry} isOn={view.is_on} onSelect={() => setSelected(entry)} />
          ))}
        </ul>
      )}
      {next && <EarlierPayments view={view} next={next} onChanged={onChanged} />}
      {selected && (
        <ResolveDialog
          question={{
            title: `Recorded the ${selected.kind} of ${selected.invoice_number} by hand?`,
            confirmLabel: 'Recorded by hand',
            consequence: <ByHandText entry={selected} />,
            async submit(note) {
              const answer = await markRecordedByHand(selected.id, note);
              if (!answer.ok) return answer;
              onChanged({ ...view, unrecorded: unrecorded.filter(({ id }) => id !== selected.id) });
              return {
                ...answer,
                value: `The ${selected.kind} of ${selected.invoice_number} is noted as recorded by hand.`,
              };
            },
          }}
          onDone={(message) => {
            setSelected(null);
            toast(message);
          }}
          onCancel={() => setSelected(null)}
        />
      )}
    </section>
  );
}

const ByHandText = ({ entry: { kind, amount, currency, customer } }: { entry: Entry }) => (
  <>
    Press this once the {kind} of <Money amount={amount} currency={currency} />
    {customer && ` (${customer})`} is entered in {CRM_NAME}. It leaves this list, and Tillway no longer records it
    there.
  </>
);

function summarize(lookedAt: number, entries: Entry[]): string {
  if (lookedAt === 0) return 'No payments have been taken here yet.';
  const scope = lookedAt === 1 ? 'Of the one payment' : `Of the newest ${lookedAt.toLocaleString('en-US')} payments`;
  const missing = entries.filter(({ kind }) => kind === 'payment').length;
  const missingText = missing === 0 ? 'none is' : missing === 1 ? 'one is' : `${missing.toLocaleString('en-US')} are`;
  const refunds = entries.length - missing;
  const refundText =
    refunds === 0 ? '' : refunds === 1 ? ' One refund is missing too.' : ` ${refunds} refunds are missing too.`;
  return `${scope}, ${missingText} missing in ${CRM_NAME}.${refundText} Payments that were refunded in full are left out.`;
}

/** A button that loads older payments below the ones shown. */
function EarlierPayments({ view, next, onChanged }: Props & { next: string }) {
  const [state, setState] = useState<'idle' | 'busy' | { failed: string }>('idle');
  const load = async () => {
    setState('busy');
    const answer = await fetchWriteBack(next);
    if (!answer.ok) return setState({ failed: answer.error.message });
    setState('idle');
    const { recorded, looked_at, unrecorded } = answer.value;
    onChanged({
      ...answer.value,
      recorded: view.recorded + recorded,
      looked_at: view.looked_at + looked_at,
      unrecorded: [...view.unrecorded, ...unrecorded],
    });
  };
  return (
    <div>
      <Button busy={state === 'busy'} onClick={() => void load()}>
        Look at earlier payments
      </Button>
      {typeof state === 'object' && <FieldError id="unrecorded-earlier" text={state.failed} />}
    </div>
  );
}

function Row({ entry, isOn, onSelect }: { entry: Entry; isOn: boolean; onSelect(): void }) {
  const { kind, invoice_id, invoice_number, customer, amount, currency, paid_at, transaction_id } = entry;
  return (
    <li>
      <span className="account-main">
        <strong>
          <AppLink href={`/invoice/${encodeURIComponent(invoice_id)}`}>{invoice_number}</AppLink>{' '}
          {kind === 'refund' && 'refund '}
          <Money amount={amount} currency={currency} />
        </strong>
        <span className="account-sub">
          {customer && `${customer}, `}
          {kind === 'refund' ? 'refunded' : 'paid'} {formatSince(paid_at)}, transaction {transaction_id}
        </span>
        <span className="account-sub">{describeState(entry, isOn)}</span>
      </span>
      {entry.is_yours && hasRight('reconcile') && (
        <span className="account-actions">
          <Button size="sm" onClick={onSelect}>
            Recorded by hand<span className="sr-only"> {invoice_number}</span>
          </Button>
        </span>
      )}
    </li>
  );
}

function describeState({ kind, state, why }: Entry, isOn: boolean): string {
  if (kind === 'refund')
    return state === 'refused'
      ? `${CRM_NAME} did not accept the refund: ${why}`
      : `Please check in ${CRM_NAME} if it shows this refund: ${why}`;
  switch (state) {
    case 'not-told':
      return isOn ? `Not recorded in ${CRM_NAME}: recording was off.` : `Not recorded in ${CRM_NAME}.`;
    case 'due':
      return 'Will be recorded.';
    case 'sent':
      return `Sent to ${CRM_NAME}, which has not answered yet.`;
    case 'refused':
      return `${CRM_NAME} did not accept it: ${why}`;
    case 'unknown':
      return `Please check in ${CRM_NAME}: ${why}`;
    case 'not_wanted':
      return why;
    case 'nothing_moved':
      return `Recorded, but ${CRM_NAME} still shows it as open.`;
  }
}

function SaveList() {
  const [state, setState] = useState<'idle' | 'busy' | { failed: string }>('idle');
  const save = async () => {
    setState('busy');
    const answer = await fetchWriteBackFile();
    if (!answer.ok) return setState({ failed: answer.error.message });
    saveFile(answer.value, `not-in-${CRM_NAME.toLowerCase()}.csv`);
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
