import type { AuditEventItem, AuditView } from '#shared/contracts/staff/audit';
import { Trail } from '#site/islands/ui/trail/Trail.tsx';
import { accountScope, type TrailCalls } from '#site/islands/ui/trail/trail.ts';
import { LONG, LONG_WORD, Sample, Samples } from './Samples.tsx';

const event: AuditEventItem = {
  seq: 412,
  at: '2026-03-04T15:52:00.000Z',
  action: 'reversal.claimed',
  group: 'money',
  person: 'user:1',
  sentence: 'ada@clinic.example asked for the void of 1042, $184.00.',
  name: 'ada@clinic.example',
  subject: { kind: 'reversal', id: 'r1' },
  session: 's1',
  address: 'c0ffee',
  changes: [{ field: 'state', before: 'approved', after: 'sent' }],
};

const view: AuditView = {
  events: [event, { ...event, seq: 411, sentence: `${LONG} ${LONG_WORD}` }],
  next: 409,
  looked_back_to: '2026-01-02T15:00:00.000Z',
  people: [],
  unsealed: 2,
  weekly_mail: false,
  head: { seq: 410, hash: '9f2c4b1e'.repeat(8), count: 410, at: '2026-03-04T15:50:00.000Z' },
  verified: { seq: 409, at: '2026-03-04T15:51:00.000Z', problem: 'Event 410 is altered: it is not what was sealed.' },
};

const calls: TrailCalls = {
  fetchTrail: () => Promise.resolve({ ok: true, value: view }),
  setMail: (weekly) => Promise.resolve({ ok: true, value: { weekly } }),
  saveCsv: () => Promise.resolve(LONG),
  saveHead: () => Promise.resolve(LONG),
};

export function TrailSamples() {
  return (
    <Samples title="Trail">
      <Sample title="Audit trail that does not agree with its seals">
        <Trail calls={calls} scope={accountScope} />
      </Sample>
    </Samples>
  );
}
