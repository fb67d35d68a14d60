import type { Answer } from '../api/parse-response.ts';
import { Act } from '../feedback/Act.tsx';

type Props = { label: string; run(): Promise<Answer<unknown>>; onDone(): void };

export const RemovePasskey = ({ label, run, onDone }: Props) => (
  <Act
    label="Remove"
    about={label}
    title={`Remove the passkey ${label}?`}
    verb="Remove"
    destroys
    run={run}
    done={`The passkey ${label} was removed.`}
    onDone={onDone}
  >
    <p>You can no longer log in with it here. Remove it from the device too.</p>
  </Act>
);
