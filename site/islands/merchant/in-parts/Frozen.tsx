import type { FrozenParts, InvoiceParts, PartVerdict } from '#shared/contracts/parts';
import { partners } from '#shared/partners';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { ForRight } from '../parts/ForRight.tsx';
import { decideParts } from './api.ts';
import { dollars } from './dollars.ts';

const CRM = partners.crm;

type Props = { id: string; decision: FrozenParts | null; onDone(now: InvoiceParts): void };

/** The CRM shows another amount than it did: both numbers, and what to press. Only a person can tell what is owed. */
export function Frozen({ id, decision, onDone }: Props) {
  if (!decision)
    return (
      <Banner tone="warn" lead={`The amount in ${CRM} has changed.`}>
        Nothing more is taken until somebody says what is owed. No amount can be read from {CRM} now: please come back,
        and correct the amount there if it stays so.
      </Banner>
    );
  const { crm, ours, contains, lacks } = decision;
  const choice = (verdict: PartVerdict, label: string, owed: string, text: string) => (
    <Act
      label={label}
      title={`${dollars(owed)} is owed?`}
      verb={`${dollars(owed)} is owed`}
      run={() => decideParts(id, verdict, owed)}
      done="Payers can pay again."
      onDone={onDone}
    >
      <p>{text}</p>
    </Act>
  );
  // Where nothing was paid that the CRM may lack, there is one answer.
  const isPlain = contains === lacks;
  return (
    <div className="preview-changed">
      <Banner tone="warn" lead={`The amount in ${CRM} has changed.`}>
        {CRM} shows {dollars(crm)}.{!isPlain && ` ${dollars(ours)} was paid here that ${CRM} was not told of.`} Payers
        are asked to contact you until somebody says what is owed.
      </Banner>
      <ForRight right="configure" act="say what is owed">
        <div className="account-actions">
          {isPlain
            ? choice('contains', `${dollars(contains)} is owed`, contains, 'Payers can pay this amount then.')
            : choice(
                'contains',
                `${CRM} already contains our payments: ${dollars(contains)} is owed`,
                contains,
                `Press this if somebody entered the payments from here in ${CRM}.`,
              )}
          {isPlain ? null : lacks.startsWith('-') ? (
            <p className="app-quiet">
              More was paid here than {CRM} shows. If it lacks our payments, correct it there.
            </p>
          ) : (
            choice(
              'lacks',
              `It does not: ${dollars(lacks)} is owed`,
              lacks,
              `Press this if the amount in ${CRM} changed for another reason. What was paid here is taken off it.`,
            )
          )}
        </div>
      </ForRight>
    </div>
  );
}
