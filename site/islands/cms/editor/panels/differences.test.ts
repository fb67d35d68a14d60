import { describe, expect, it } from 'vitest';
import { type ComparedParagraph, compareTexts } from './CompareDialog.tsx';

const markedTexts = (parts: ComparedParagraph[]) =>
  parts.flatMap((runs) => runs.filter(({ isUnique: isMarked }) => isMarked).map(({ text }) => text));
const differencesOf = (left: string[], right: string[]) => compareTexts(left, right).map(markedTexts);

describe('comparing two texts', () => {
  it('finds no differences in equal texts', () => {
    expect(differencesOf(['a', 'b', 'b'], ['a', 'b', 'b'])).toEqual([[], []]);
    expect(differencesOf([], [])).toEqual([[], []]);
  });

  it('finds inserted, removed and changed paragraphs', () => {
    expect(differencesOf(['a', 'b', 'c'], ['a', 'x', 'b', 'c', 'd'])).toEqual([[], ['x', 'd']]);
    expect(differencesOf(['a', 'b', 'c'], ['a', 'B', 'c'])).toEqual([['b'], ['B']]);
    expect(differencesOf(['a', 'b', 'c'], ['a', 'B', 'x', 'c'])).toEqual([['b'], ['B', 'x']]);
    expect(differencesOf(['a', 'b'], [])).toEqual([['a', 'b'], []]);
  });

  it('shows a moved paragraph as removed and inserted', () => {
    expect(differencesOf(['a', 'b', 'c'], ['c', 'a', 'b'])).toEqual([['c'], ['c']]);
  });

  it('ignores the order of paragraphs in very long texts', () => {
    const long = Array.from({ length: 2000 }, (_, index) => `paragraph ${index}`);
    expect(differencesOf([...long, 'mine'], [...long].reverse())).toEqual([['mine'], []]);
  });

  it('keeps every paragraph word for word', () => {
    const [one, other] = [
      ['Fees', 'We open at nine.', 'x'],
      ['Fees', 'We do not open at nine.', 'y', 'z'],
    ];
    const textsOf = (parts: ComparedParagraph[]) => parts.map((runs) => runs.map(({ text }) => text).join(' '));
    expect(compareTexts(one, other).map(textsOf)).toEqual([one, other]);
  });
});

describe('comparing a changed paragraph', () => {
  it('marks whole words, never parts of one', () => {
    expect(differencesOf(['The payment was refunded at once.'], ['The prepayment was refunding at once.'])).toEqual([
      ['payment', 'refunded'],
      ['prepayment', 'refunding'],
    ]);
    expect(differencesOf(['It is a well-known rule here.'], ['It is a well-meant rule here.'])).toEqual([
      ['well-known'],
      ['well-meant'],
    ]);
    expect(differencesOf(["They don't say how much."], ["They didn't say how much."])).toEqual([["don't"], ["didn't"]]);
    expect(differencesOf(['Una clínica pequeña abre hoy.'], ['Una clínica pequeñita abre hoy.'])).toEqual([
      ['pequeña'],
      ['pequeñita'],
    ]);
  });

  it('marks adjacent changed words as one run', () => {
    expect(differencesOf(['We open at nine every day.'], ['We open at half past ten every day.'])).toEqual([
      ['nine'],
      ['half past ten'],
    ]);
  });

  it('treats a paragraph that keeps almost none of its words as replaced', () => {
    const [one, other] = ['We open at nine.', 'Patients pay online, at any hour that suits them.'];
    expect(differencesOf([one], [other])).toEqual([[one], [other]]);
  });

  it('compares paragraphs of thousands of different words as a whole', () => {
    const [one, other] = ['a', 'b'].map((prefix) =>
      Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}`).join(' '),
    );
    expect(differencesOf([one ?? ''], [other ?? ''])).toEqual([[one], [other]]);
  });
});
