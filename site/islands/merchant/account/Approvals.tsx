import { useState } from 'react';
import type { ReversalReply } from '#shared/contracts/payments/batches';
import type { Approval } from '#shared/contracts/staff/proof';
import { merchantLimits } from '#shared/limits';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { formatSince } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { ReversalNotice } from '../refunds/Reversal.tsx';
import { AccountFrame, Columns } from './AccountFrame.tsx';
import { decideApproval, fetchApprovals } from './api.ts';

type Decision = { approval: Approval; reply: ReversalReply };

/** The page with refunds and voids that need approval by a second person, and with recent decisions. */
export const Approvals = () => (
  <AccountFrame title="Approvals" right="oversee">
    <ApprovalList />
  </AccountFrame>
);

function ApprovalList() {
  const load = useLoad('approvals', 'Failed to fetch the approvals', fetchApprovals);
  const [decision, setDecision] = useState<Decision | null>(null);
  const { value: approvals, failure, reload } = load;
  const section = (title: string, emptyText: string, items: Approval[]) => (
    <section className="card account-part" aria-label={title}>
      <h2>{title}</h2>
      {items.length === 0 ? (
        <p className="app-quiet">{emptyText}</p>
      ) : (
        <ul className="account-rows">
          {items.map((approval) => (
            <ApprovalRow
              key={approval.id}
              approval={approval}
              onDecided={(reply) => {
                setDecision(reply && { approval, reply });
                reload();
              }}
            />
          ))}
        </ul>
      )}
    </section>
  );
  return (
    <>
      <p>Refunds and voids that a second person must approve. You cannot approve your own.</p>
      <LoadFailure lead="The approvals could not be loaded." load={load} />
      {decision && (
        <ReversalNotice
          key={decision.reply.reversal.id}
          paymentId={decision.approval.payment_id}
          number={decision.approval.invoice_number}
          reply={decision.reply}
          onSettled={reload}
          onClose={() => setDecision(null)}
        />
      )}
      {!approvals && !failure && (
        <p role="status" className="app-quiet">
          Loading...
        </p>
      )}
      {approvals && (
        <Columns
          first={section(
            'Waiting',
            'No requests are waiting.',
            approvals.filter(({ state }) => state === 'waiting'),
          )}
          second={section(
            'Decided in the last seven days',
            'None.',
            approvals.filter(({ state }) => state !== 'waiting'),
          )}
        />
      )}
    </>
  );
}

const reversalLabels = { void: 'Void', refund: 'Refund' } as const;

type RowProps = { approval: Approval; onDecided(reply: ReversalReply | null): void };

function ApprovalRow({ approval, onDecided }: RowProps) {
  const { id, state, kind, invoice_id, invoice_number, customer, amount, reason, asked_by, asked_at } = approval;
  const { decided_by, decision_note } = approval;
  const [note, setNote] = useState('');
  const money = <Money amount={amount} currency="USD" />;
  return (
    <li>
      <span className="account-main">
        <strong>
          {reversalLabels[kind]} {money}
        </strong>{' '}
        <StateBadge approval={approval} />
        <span className="account-sub">
          <AppLink href={`/invoice/${encodeURIComponent(invoice_id)}`}>{invoice_number}</AppLink>
          {customer && `, ${customer}`}
        </span>
        <span className="account-sub">
          {asked_by} asked {formatSince(asked_at)}: {reason}
        </span>
        {decision_note && (
          <span className="account-sub">
            {decided_by}: {decision_note}
          </span>
        )}
      </span>
      {state === 'waiting' && approval.is_yours_to_decide && (
        <span className="account-actions">
          <ConfirmedAction
            label="Approve"
            labelSuffix={`the ${kind} of ${invoice_number}`}
            title={`${reversalLabels[kind]} the payment of ${invoice_number}?`}
            confirmLabel="Approve"
            isDestructive
            runAction={() => decideApproval(id, { decision: 'approve' })}
            successText={`The ${kind} of ${invoice_number} was approved.`}
            onDone={({ reply }) => onDecided(reply)}
          >
            <p>
              {money} is refunded to the card at once. {asked_by}’s reason: {reason}
            </p>
          </ConfirmedAction>
          <ConfirmedAction
            label="Refuse"
            labelSuffix={`the ${kind} of ${invoice_number}`}
            title={`Refuse the ${kind} of ${invoice_number}?`}
            confirmLabel="Refuse"
            runAction={() => decideApproval(id, { decision: 'refuse', note: note.trim() })}
            successText={`The ${kind} of ${invoice_number} was refused.`}
            onDone={({ reply }) => onDecided(reply)}
          >
            <p>Nothing is refunded. {asked_by} sees that you refused, and why.</p>
            <Field
              id={`refusal-${id}`}
              label="Reason"
              optional="(optional)"
              autoComplete="off"
              maxLength={merchantLimits.reason}
              value={note}
              onChange={({ target }) => setNote(target.value)}
            />
          </ConfirmedAction>
        </span>
      )}
      {approval.is_yours_to_withdraw && (
        <span className="account-actions">
          <ConfirmedAction
            label="Withdraw"
            labelSuffix={`the ${kind} of ${invoice_number}`}
            title={`Withdraw the ${kind} of ${invoice_number}?`}
            confirmLabel="Withdraw"
            runAction={() => decideApproval(id, { decision: 'refuse' })}
            successText={`The ${kind} of ${invoice_number} was withdrawn.`}
            onDone={({ reply }) => onDecided(reply)}
          >
            <p>Nothing is refunded. You can ask again.</p>
          </ConfirmedAction>
        </span>
      )}
    </li>
  );
}

function StateBadge({ approval }: { approval: Approval }) {
  const { state, asked_by, decided_by, ends_at, is_yours_to_decide } = approval;
  switch (state) {
    case 'waiting':
      return (
        <>
          <Badge tone="note" icon="clock">
            {is_yours_to_decide ? 'Waiting for you' : 'Waiting for a second person'}
          </Badge>
          <span className="account-sub">Expires {formatSince(ends_at)}</span>
        </>
      );
    case 'approved':
      return (
        <Badge tone="ok" icon="check">
          Approved{decided_by && ` by ${decided_by}`}
        </Badge>
      );
    case 'refused':
      return (
        <Badge tone="plain" icon="x">
          {decided_by === asked_by ? 'Withdrawn' : 'Refused'}
          {decided_by && ` by ${decided_by}`}
        </Badge>
      );
    case 'ended':
      return (
        <Badge tone="plain" icon="minus">
          Expired
        </Badge>
      );
  }
}
