import { useEffect, useRef, useState } from 'react';
import type { StepUpWay } from '#shared/contracts/proof-values';
import { PIN_DIGITS } from '#shared/pin-rule';
import { PinField } from '#site/islands/merchant/login/CodeFields.tsx';
import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { LogInAgain } from './LogInAgain.tsx';
import type { StepUpProps } from './props.ts';
import '#site/styles/areas/merchant/step-up.css';

/** Asks for a passkey or the PIN; who has neither logs in again or asks a colleague. */
export function StepUpDialog(props: StepUpProps) {
  const { ways } = props;
  const [way, setWay] = useState<StepUpWay>(ways[0] ?? 'login');
  if (way === 'passkey' || way === 'pin') return <OwnFactor {...props} way={way} onWay={setWay} />;
  return <LogInAgain {...props} />;
}

const others = { passkey: 'pin', pin: 'passkey' } as const;
const words = { passkey: 'Use my passkey', pin: 'Use my PIN' };

type OwnProps = StepUpProps & { way: 'passkey' | 'pin'; onWay(way: StepUpWay): void };

function OwnFactor({ ways, calls, hasColleague, onEnd, way, onWay }: OwnProps) {
  const [pin, setPin] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const other = others[way];
  useEffect(() => {
    if (way === 'pin') field.current?.focus();
  }, [way]);

  const prove = async (ask: () => Promise<Answer<true>>) => {
    setBusy(true);
    setFailure(null);
    const answer = await ask();
    setBusy(false);
    if (answer.ok) return onEnd('proved');
    setFailure(answer.error.message);
    setPin('');
    if (way === 'pin') field.current?.focus();
  };
  const confirm = () => {
    if (way === 'passkey') return void prove(calls.passkey);
    if (pin.length === PIN_DIGITS) return void prove(() => calls.pin(pin));
    setFailure(`Please enter the ${PIN_DIGITS} digits of your PIN.`);
    field.current?.focus();
  };
  return (
    <Dialog
      title="Is it still you?"
      verb={way === 'passkey' ? words.passkey : 'Confirm'}
      busy={isBusy}
      failure={failure}
      onConfirm={confirm}
      onCancel={() => onEnd('cancelled')}
    >
      <p>You last showed it more than 15 minutes ago. What you typed stays as it is.</p>
      {way === 'pin' && <PinField label="Your PIN" value={pin} onChange={setPin} onEnter={confirm} ref={field} />}
      <p className="step-up-ways">
        {ways.includes(other) && (
          <button type="button" className="text-button" onClick={() => onWay(other)}>
            {words[other]}
          </button>
        )}
        {hasColleague && (
          <button type="button" className="text-button" onClick={() => onEnd('colleague')}>
            Ask somebody else to do it
          </button>
        )}
      </p>
    </Dialog>
  );
}
