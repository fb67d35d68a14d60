import { describe, expect, it } from 'vitest';
import { sheetsOf } from './takings.ts';

describe('splitting a day into sheets', () => {
  it('uses one sheet for up to 8 batches and 6 items to review', () => {
    expect(sheetsOf(0, 0)).toHaveLength(1);
    expect(sheetsOf(8, 6)).toEqual([{ batches: [0, 8], cards: true, looks: [0, 6] }]);
  });

  it('uses more sheets for more items, with the sales by card on a sheet that has room', () => {
    expect(sheetsOf(9, 0)).toEqual([
      { batches: [0, 9], cards: false, looks: null },
      { batches: null, cards: true, looks: [0, 0] },
    ]);
    expect(sheetsOf(3, 7)).toEqual([
      { batches: [0, 3], cards: true, looks: null },
      { batches: null, cards: false, looks: [0, 7] },
    ]);
    expect(sheetsOf(40, 30)).toHaveLength(5);
  });
});
