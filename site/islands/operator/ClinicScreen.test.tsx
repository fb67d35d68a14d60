import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { OperatorClinic } from '#shared/contracts/operators/operator';
import { answerWith } from '#tests/support/components/calls';
import { at } from '#tests/support/operator/calm';
import { ClinicScreen } from './ClinicScreen.tsx';

const CLINIC: OperatorClinic = {
  clinic: {
    number: 3,
    account: 4711,
    name: 'Maple Dental',
    state: 'failing',
    problems: ['failing'],
    last_payment_at: null,
    stuck_since: null,
    failing_since: at,
    needs_human: 0,
    schema: 111,
    is_behind: false,
    bytes: 1000,
    heard_at: at,
    region: '',
    erased_at: null,
  },
  contact: { name: 'Maple Dental', phone: '', email: '', time_zone: 'UTC' },
  alerts: [],
  undecided: [],
  mails: null,
  crm_failure: 'revoked',
};

it('explains why the CRM sync of a clinic fails, and who must act', async () => {
  answerWith('/api/operator/clinics/3', CLINIC);
  render(<ClinicScreen number={3} />);
  expect(
    await screen.findByText(
      'The connection to HubSpot was ended there. An administrator of the clinic must connect it again.',
    ),
  ).toBeTruthy();
});
