import { type ComponentProps, useState } from 'react';
import type { BadAddress, Delivery } from '#shared/contracts/lists/mail-values';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { MailButton } from './MailButton.tsx';

/** `isFinal`: no mail can reach the address. */
export type Trouble = { isFinal: boolean; why: string };

/** The reason not to mail an address, from the mail service's reports; null if there is none. */
export function troubleOf(of: { email: string; bad: BadAddress | null; delivery: Delivery | null }): Trouble | null {
  const { email, bad, delivery } = of;
  if (email === '') return null;
  switch (bad) {
    case 'bounced':
      return { isFinal: true, why: `Mail to ${email} came back. Correct the address in HubSpot.` };
    case 'suppressed':
      return { isFinal: true, why: `The mail service sends nothing to ${email}. Correct the address in HubSpot.` };
    case 'complained':
      return { isFinal: true, why: `Mail to ${email} was reported as spam. Enter another address in HubSpot.` };
  }
  return delivery === 'bounced' || delivery === 'failed'
    ? {
        isFinal: false,
        why: `The last mail did not arrive. The next one to ${email} may. Look at the address in HubSpot.`,
      }
    : null;
}

type Props = ComponentProps<typeof MailButton> & { trouble: Trouble | null };

/** A mail button that is off with a reason if the address is dead, and asks for confirmation if it may be. */
export function CarefulMail({ trouble, ...button }: Props) {
  const [isAsking, setAsking] = useState(false);
  if (trouble?.isFinal) return <MailButton {...button} off={button.off ?? trouble.why} />;
  if (!trouble || button.off) return <MailButton {...button} />;
  const answer = (isSent: boolean) => {
    setAsking(false);
    if (isSent) button.onSend();
  };
  return (
    <div className="mail">
      <MailButton {...button} onSend={() => setAsking(true)} />
      {isAsking && (
        <div className="mail-doubt" role="alert">
          <p>{trouble.why}</p>
          <Button size="sm" onClick={() => answer(true)}>
            Send anyway
          </Button>
          <Button size="sm" kind="ghost" onClick={() => answer(false)}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  );
}
