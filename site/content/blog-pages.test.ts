import { describe, expect, it } from 'vitest';
import { blogPages } from './blog-pages.ts';

/** Post numbers, newest first; a post keeps its number. */
const posts = (count: number) => Array.from({ length: count }, (_, index) => count - index);
const counts = Array.from({ length: 400 }, (_, count) => count);

describe('blog pagination', () => {
  it('lists every post once, newest first', () => {
    for (const count of counts) expect(blogPages(posts(count)).flat()).toEqual(posts(count));
  });

  it('fills every page unless there are few posts, and keeps the second page below 36 posts', () => {
    for (const count of counts) {
      const [first = [], second = [], ...later] = blogPages(posts(count));
      expect(first).toHaveLength(Math.min(count, 10));
      expect(second.length).toBeLessThan(36);
      if (later.length > 0) expect(second.length).toBeGreaterThanOrEqual(12);
      expect(later.every((page) => page.length === 24)).toBe(true);
    }
  });

  it('leaves the third and later pages unchanged for 23 of 24 new posts', () => {
    const countsThatMovePosts = counts.slice(60).filter((count) => {
      const later = (total: number) => JSON.stringify(blogPages(posts(total)).slice(2));
      return later(count) !== later(count + 1);
    });
    expect(countsThatMovePosts.length).toBeLessThanOrEqual(Math.ceil((counts.length - 60) / 24));
    expect(
      countsThatMovePosts.every((count, index) => index === 0 || count - (countsThatMovePosts[index - 1] ?? 0) === 24),
    ).toBe(true);
  });
});
