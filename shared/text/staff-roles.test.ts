import { describe, expect, it } from 'vitest';
import { describeRefundLimit, describeRightHolders, describeRole, describeVoidLimit } from './staff-roles.ts';

const GRACE = { name: 'Grace Lindqvist', role: 'admin' } as const;
const BEN = { name: 'Ben Okafor', role: 'manager' } as const;
const DORA = { name: 'Dora Lee', role: 'desk' } as const;
const RITA = { name: 'Rita Moss', role: 'reader' } as const;

it('the description of a role does not compare it with another role', () => {
  expect(describeRole('manager')).toBe(
    'as a manager. A manager closes batches, changes payments settings, and refunds up to a limit.',
  );
});

describe('the sentence for a person without a right', () => {
  it('names a colleague who has it', () => {
    expect(describeRightHolders('administer', 'see this', [RITA, BEN, GRACE])).toBe(
      'Only an administrator of this account may see this. Ask Grace Lindqvist (administrator).',
    );
  });

  it('names at most two, those with more rights first', () => {
    expect(describeRightHolders('collect', 'take payments', [DORA, BEN, GRACE])).toMatch(
      / Ask Grace Lindqvist \(administrator\) or Ben Okafor \(manager\)\.$/,
    );
  });

  it('names only the roles if no colleague with the right is known', () => {
    expect(describeRightHolders('administer', 'do this', [RITA])).toBe(
      'Only an administrator of this account may do this.',
    );
  });
});

it('the sentence about a refund limit says how much is possible and whom to ask for more', () => {
  expect(describeRefundLimit('$200.00', [BEN, GRACE])).toBe(
    'You can refund up to $200.00 now. For a larger refund, ask Grace Lindqvist (administrator).',
  );
  expect(describeRefundLimit('$0.00', [BEN])).toBe(
    'You can refund up to $0.00 now. For a larger refund, ask an administrator.',
  );
  expect(describeVoidLimit('$183.99')).toBe(
    'A void always covers the whole payment. You can refund up to $183.99 now. Ask an administrator.',
  );
});
