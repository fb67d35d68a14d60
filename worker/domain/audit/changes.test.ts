import { expect, it } from 'vitest';
import { changesOf } from './changes.ts';

const changes = (before: object | '', after: object | '', currency: string | null = null) =>
  changesOf({ before: before && JSON.stringify(before), after: after && JSON.stringify(after) }, 'America/New_York', {
    id: 'r1',
    number: '1042',
    amountCents: null,
    currency,
    kind: 'void',
    reason: null,
  });

it('lists no field that an action left unchanged', () => {
  expect(changes({ role: 'admin', confirmed: false }, { confirmed: true })).toEqual([
    { field: 'confirmed', before: 'no', after: 'yes' },
  ]);
});

it('lists all fields of a row that was removed, and a value that was cleared', () => {
  expect(changes({ role: 'admin' }, '')).toEqual([{ field: 'role', before: 'admin', after: null }]);
  expect(changes({ cents: 5_000 }, { cents: null })).toEqual([{ field: 'amount', before: '$50.00', after: null }]);
});

it('shows cents as money and times in the zone of the clinic', () => {
  const at = Date.UTC(2026, 10, 30, 4, 30);
  expect(changes('', { amountCents: 7_450, linkEndsAt: at, startsAt: new Date(at).toISOString() })).toEqual([
    { field: 'amount', before: null, after: '$74.50' },
    { field: 'link ends at', before: null, after: '2026-11-29 23:30' },
    { field: 'starts at', before: null, after: '2026-11-29 23:30' },
  ]);
  expect(changes('', { amountCents: 7_450 }, 'CAD')[0]?.after).toMatch(/^(CA)?\$74\.50$/);
});

it('shows text and numbers of any other field as stored', () => {
  expect(changes('', { note: 'Called At', n: 3, at: 'soon' })).toEqual([
    { field: 'note', before: null, after: 'Called At' },
    { field: 'n', before: null, after: '3' },
    { field: 'at', before: null, after: 'soon' },
  ]);
});
