import { useState } from 'react';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { copyLink } from '../mail/CopyLink.tsx';
import { QrCode } from './QrCode.tsx';

type Props = { url: string; number: string; amount: string; onClose(): void };

/** Shows the pay link as a QR code, which customers at the desk can scan with their phones. */
export function QrDialog({ url, number, amount, onClose }: Props) {
  const [isCopied, setCopied] = useState<boolean | null>(null);
  return (
    <Dialog
      title={`Pay ${number} by phone`}
      confirmLabel={isCopied ? 'Copied' : 'Copy link'}
      cancelLabel="Close"
      busy={false}
      failure={
        isCopied === false ? 'Your browser does not allow copying here. Please copy the address yourself.' : null
      }
      onConfirm={() => void copyLink(url).then(setCopied)}
      onCancel={onClose}
    >
      <div className="qr-dialog">
        <QrCode text={url} label={`Payment link for ${amount}`} />
        <p className="money">{amount}</p>
        <p className="qr-url">{url}</p>
      </div>
    </Dialog>
  );
}
