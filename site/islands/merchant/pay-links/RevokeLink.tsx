import { useState } from 'react';
import type { PayLinkReply } from '../../../../shared/contracts/preview.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { Button } from '../../ui/form/Button.tsx';
import type { Mailable } from '../mail/use-mail.ts';
import { revokeLink } from './pay-link.ts';

type DialogProps = { invoice: Mailable & { amount: string }; onReplaced(link: PayLinkReply): void; onClose(): void };

export function RevokeDialog({ invoice: { id, number, amount }, onReplaced, onClose }: DialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const revoke = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await revokeLink(id);
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    toast(`The old pay link of ${number} no longer works.`);
    onReplaced(answer.value);
    onClose();
  };
  return (
    <Dialog
      title={`Revoke the pay link of ${number}?`}
      verb="Revoke link"
      destroys
      busy={isBusy}
      failure={failure}
      onConfirm={() => void revoke()}
      onCancel={onClose}
    >
      <p>
        Nobody can pay the <span className="money">{amount}</span> with the old link any more, also not from a mail that
        was sent. A new link takes its place.
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
