import { describe, expect, it } from 'vitest';
import { formatListAddress, isTypingStep, type ListDefaults, parseListAddress } from './list-view.ts';

const list: ListDefaults = {
  sort: '-made',
  sorts: ['made', 'amount'],
  filters: ['status', 'due'],
  canFilter: (name, value) => name !== 'due' || value.includes('..'),
};
const defaults = { page: 1, size: 10, sort: '-made', q: '', filters: {} };

describe('URL query of a list', () => {
  it('is empty for the defaults', () => {
    expect(parseListAddress('', list)).toEqual(defaults);
    expect(formatListAddress(defaults, list)).toBe('');
  });

  it('contains only the differences from the defaults, and can be read again', () => {
    const query = { page: 3, size: 50, sort: 'amount', q: 'Núñez & Co', filters: { status: 'open,paid' } };
    const address = formatListAddress(query, list);
    expect(address).toBe('page=3&size=50&sort=amount&q=N%C3%BA%C3%B1ez+%26+Co&status=open%2Cpaid');
    expect(parseListAddress(`?${address}`, list)).toEqual(query);
  });

  it('includes every value in a server request', () => {
    expect(formatListAddress(defaults)).toBe('page=1&size=10&sort=-made');
  });

  it.each([
    'page=0',
    'page=-2',
    'page=1e9',
    'page=x',
    'size=11',
    'size=1000',
    'sort=secret',
    'sort=--made',
    'other=1',
    'status=',
    'due=tomorrow',
  ])('ignores the invalid parameter %s', (search) => expect(parseListAddress(`?${search}`, list)).toEqual(defaults));

  it('does not add a history step for each letter typed into a search', () => {
    const [none, half, whole] = ['', '104', '1042'].map((q) => ({ ...defaults, q }));
    if (!none || !half || !whole) throw new Error('unreachable');
    expect([isTypingStep(none, half), isTypingStep(half, whole), isTypingStep(whole, none)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(isTypingStep(whole, { ...whole, page: 2 })).toBe(false);
  });
});
