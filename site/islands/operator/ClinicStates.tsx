import type { ClinicItem } from '#shared/contracts/operators/operator';
import { Badge } from '../ui/Badge.tsx';
import { describeState } from './words.ts';

/** A clinic's problems as badges, the worst first, or its state if it has none. */
export function ClinicStates({ clinic: { state, problems } }: { clinic: Pick<ClinicItem, 'state' | 'problems'> }) {
  return (
    <span className="op-states">
      {(problems.length > 0 ? problems : [state]).map((name) => {
        const { tone, icon, text } = describeState(name);
        return (
          <Badge key={name} tone={tone} icon={icon}>
            {text}
          </Badge>
        );
      })}
    </span>
  );
}
