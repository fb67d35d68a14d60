import { useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { Lazy } from '../parts/Lazy.tsx';

/** With its library, which only this dialog and the counter need. */
const qrDialog = lazyScreen(() => import('./QrDialog.tsx').then((code) => code.QrDialog));

/** A live pay link as QR code, on request. */
export function ShowQr(props: { url: string; number: string; amount: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Show QR code</Button>
      {isOpen && <Lazy of={qrDialog} props={{ ...props, onClose: () => setOpen(false) }} />}
    </>
  );
}
