import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CLINICS, monthOf, monthTable, PAYMENTS } from '#tests/simulation/day/month';

test('docs/scale.md has the current table of monthly costs by clinics and payments', () => {
  expect(readFileSync('docs/scale.md', 'utf8')).toContain(monthTable());
});

test('a month costs at least the plan, and more with more clinics and payments', () => {
  expect(monthOf(1, 10)).toBe(5);
  for (const payments of PAYMENTS) {
    const costs = CLINICS.map((clinics) => monthOf(clinics, payments));
    expect(costs).toEqual(costs.toSorted((a, b) => a - b));
  }
  expect(monthOf(10_000, 100_000)).toBeGreaterThan(monthOf(10_000, 10));
});
