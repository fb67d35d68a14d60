import { expect, it } from 'vitest';
import type { Env } from '#worker/deps';
import { regionOf } from '#worker/domain/merchants/region';
import { openClinics } from './clinics.ts';

it.each([
  ['America/New_York', 'enam'],
  ['America/Indiana/Indianapolis', 'enam'],
  ['America/Chicago', 'enam'],
  ['America/Denver', 'wnam'],
  ['America/Los_Angeles', 'wnam'],
  ['America/Anchorage', 'wnam'],
  ['Pacific/Honolulu', 'wnam'],
  ['US/Pacific', 'wnam'],
  ['America/Toronto', 'enam'],
  ['America/Sao_Paulo', 'sam'],
  ['America/Argentina/Salta', 'sam'],
  ['Europe/London', 'weur'],
  ['Europe/Berlin', 'weur'],
  ['Europe/Helsinki', 'eeur'],
  ['Asia/Tokyo', 'apac'],
  ['Asia/Dubai', 'me'],
  ['Australia/Perth', 'oc'],
  ['Africa/Lagos', 'afr'],
  ['UTC', ''],
  ['Etc/GMT+5', ''],
  ['America/Nowhere', 'enam'],
  ['', ''],
])('puts the database of a clinic in %s into the region %s', (zone, region) => {
  expect(regionOf(zone)).toBe(region);
});

it('passes the region as a location hint when it creates a clinic, and no hint if the region is unknown', async () => {
  const hints: unknown[] = [];
  const found = async () => undefined;
  const getByName = (name: string, options: object) => {
    hints.push([name, options]);
    return { found };
  };
  const clinics = openClinics({ getByName } as unknown as Env['CLINICS'], async () => null);
  await clinics.found(7, 4711, 'wnam');
  await clinics.found(8, 4712);
  expect(hints).toEqual([
    ['7', { locationHint: 'wnam' }],
    ['8', {}],
  ]);
});
