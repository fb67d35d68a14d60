import type { Answer } from '../api/parse-response.ts';
import { ConfirmedAction } from '../feedback/ConfirmedAction.tsx';

type Props = { label: string; run(): Promise<Answer<unknown>>; onDone(): void };

export const RemovePasskey = ({ label, run, onDone }: Props) => (
  <ConfirmedAction
    label="Remove"
    labelSuffix={label}
    title={`Remove the passkey ${label}?`}
    confirmLabel="Remove"
    isDestructive
    runAction={run}
    successText={`The passkey ${label} was removed.`}
    onDone={onDone}
  >
    <p>You can no longer log in with it here. Remove it from the device too.</p>
  </ConfirmedAction>
);
