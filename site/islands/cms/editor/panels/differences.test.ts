import { describe, expect, it } from 'vitest';
import { type Part, partsOf } from './CompareDialog.tsx';

const own = (parts: Part[]) => parts.flatMap((runs) => runs.filter(({ isOnly }) => isOnly).map(({ text }) => text));
const only = (one: string[], other: string[]) => partsOf(one, other).map(own);

describe('two texts', () => {
  it('that are equal have no paragraphs of their own', () => {
    expect(only(['a', 'b', 'b'], ['a', 'b', 'b'])).toEqual([[], []]);
    expect(only([], [])).toEqual([[], []]);
  });

  it('have inserted, removed and changed paragraphs of their own', () => {
    expect(only(['a', 'b', 'c'], ['a', 'x', 'b', 'c', 'd'])).toEqual([[], ['x', 'd']]);
    expect(only(['a', 'b', 'c'], ['a', 'B', 'c'])).toEqual([['b'], ['B']]);
    expect(only(['a', 'b', 'c'], ['a', 'B', 'x', 'c'])).toEqual([['b'], ['B', 'x']]);
    expect(only(['a', 'b'], [])).toEqual([['a', 'b'], []]);
  });

  it('show a moved paragraph as removed and inserted', () => {
    expect(only(['a', 'b', 'c'], ['c', 'a', 'b'])).toEqual([['c'], ['c']]);
  });

  it('are compared without order when they are very long', () => {
    const long = Array.from({ length: 2000 }, (_, index) => `paragraph ${index}`);
    expect(only([...long, 'mine'], [...long].reverse())).toEqual([['mine'], []]);
  });

  it('keep every paragraph, word for word', () => {
    const [one, other] = [
      ['Fees', 'We open at nine.', 'x'],
      ['Fees', 'We do not open at nine.', 'y', 'z'],
    ];
    const read = (parts: Part[]) => parts.map((runs) => runs.map(({ text }) => text).join(' '));
    expect(partsOf(one, other).map(read)).toEqual([one, other]);
  });
});

describe('a changed paragraph', () => {
  it('has whole words marked, never a part of one', () => {
    expect(only(['The payment was refunded at once.'], ['The prepayment was refunding at once.'])).toEqual([
      ['payment', 'refunded'],
      ['prepayment', 'refunding'],
    ]);
    expect(only(['It is a well-known rule here.'], ['It is a well-meant rule here.'])).toEqual([
      ['well-known'],
      ['well-meant'],
    ]);
    expect(only(["They don't say how much."], ["They didn't say how much."])).toEqual([["don't"], ["didn't"]]);
    expect(only(['Una clínica pequeña abre hoy.'], ['Una clínica pequeñita abre hoy.'])).toEqual([
      ['pequeña'],
      ['pequeñita'],
    ]);
  });

  it('has words that follow each other in one mark', () => {
    expect(only(['We open at nine every day.'], ['We open at half past ten every day.'])).toEqual([
      ['nine'],
      ['half past ten'],
    ]);
  });

  it('that keeps almost nothing is another paragraph', () => {
    const [one, other] = ['We open at nine.', 'Patients pay online, at any hour that suits them.'];
    expect(only([one], [other])).toEqual([[one], [other]]);
  });

  it('of thousands of other words is compared as a whole, soon', () => {
    const [one, other] = ['a', 'b'].map((of) => Array.from({ length: 20_000 }, (_, at) => `${of}${at}`).join(' '));
    expect(only([one ?? ''], [other ?? ''])).toEqual([[one], [other]]);
  });
});
