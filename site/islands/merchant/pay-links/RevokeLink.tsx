import { useState } from 'react';
import type { PayLinkReply } from '#shared/contracts/payments/pay-links';
import { UNDO_MS } from '#shared/limits';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { UndoBar } from '#site/islands/ui/feedback/UndoBar.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import type { MailedInvoice } from '../mail/pay-link-or-receipt.ts';
import { cancelRevocation, createLink, revokeLink } from './open-invoices.ts';

type DialogProps = {
  invoice: MailedInvoice & { amount: string };
  onReplaced(link: PayLinkReply): void;
  onClose(): void;
};

/** Asks for confirmation, and then offers Undo. The server revokes the link even if the tab is closed. */
export function RevokeDialog(props: DialogProps) {
  // The key resets the dialog for another invoice. A pending revocation continues, but can no longer be undone.
  return <Revocation key={props.invoice.id} {...props} />;
}

function Revocation({ invoice: { id, number, amount }, onReplaced, onClose }: DialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [isRequested, setRequested] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const revoke = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await revokeLink(id);
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setRequested(true);
  };
  const undo = async (): Promise<string | null> => {
    const answer = await cancelRevocation(id);
    if (!answer.ok) return answer.error.message;
    toast(`The payment link of ${number} stays.`);
    onClose();
    return null;
  };
  const replace = async () => {
    const answer = await createLink(id);
    toast(`The old payment link of ${number} no longer works.`);
    if (answer.ok) onReplaced(answer.value);
    onClose();
  };
  if (isRequested) {
    return (
      <UndoBar durationMs={UNDO_MS} onUndo={undo} onExpire={() => void replace()}>
        {`The payment link of ${number} will be revoked`}
      </UndoBar>
    );
  }
  return (
    <Dialog
      title={`Revoke the payment link of ${number}?`}
      confirmLabel="Revoke link"
      isDestructive
      busy={isBusy}
      failure={failure}
      onConfirm={() => void revoke()}
      onCancel={onClose}
    >
      <p>
        After ten seconds, no one can pay the <span className="money">{amount}</span> with the old link, not even from
        an email already sent. A new link takes its place.
      </p>
    </Dialog>
  );
}

export function RevokeLink({ invoice, onReplaced }: Omit<DialogProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="secondary" onClick={() => setOpen(true)}>
        Revoke link
      </Button>
      {isOpen && <RevokeDialog invoice={invoice} onReplaced={onReplaced} onClose={() => setOpen(false)} />}
    </>
  );
}
