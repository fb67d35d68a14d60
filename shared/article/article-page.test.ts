import { describe, expect, it } from 'vitest';
import { fillShell, shellPlaceholders, viewArticle } from './article-page.ts';
import { articleDrawing } from './drawing.ts';

const post = {
  title: 'Fees & <b>others</b> "today"',
  slug: 'fees',
  version: 3,
  createdAt: '2026-03-04T23:30:00.000Z',
  updatedAt: '2026-03-06T10:00:00.000Z',
  publishedAt: '2026-03-05T10:00:00.000Z',
  picture: {
    url: '/media/x.jpg',
    alt: 'A "desk"',
    width: 1600,
    height: 900,
    variants: [{ url: '/media/x-480.jpg', width: 480, height: 270 }],
  },
};
const viewContext = {
  origin: 'https://pay.example',
  summary: 'Short </script> & "sweet"',
  content: '<p>@@title@@</p>',
};

describe('an article page', () => {
  it('has a canonical URL, description, sized picture, version and structured data, all escaped', () => {
    const { head, picture, date } = viewArticle('post', post, viewContext);
    expect(date).toBe('Mar 4, 2026');
    expect(head).toContain('<link rel="canonical" href="https://pay.example/blog/fees">');
    expect(head).toContain('<meta name="article-version" content="3">');
    expect(head).toContain('<meta property="og:image" content="https://pay.example/media/x.jpg">');
    expect(head).toContain('<meta property="og:image:width" content="1600">');
    expect(head).not.toMatch(/<b>|"today"/);
    expect(head.match(/<\/script>/g)).toHaveLength(1);
    const json = JSON.parse(/<script type="application\/ld\+json">(.*)<\/script>/.exec(head)?.[1] ?? '');
    expect(json).toMatchObject({
      '@type': 'BlogPosting',
      headline: post.title,
      description: viewContext.summary,
      datePublished: post.publishedAt,
      image: 'https://pay.example/media/x.jpg',
    });
    expect(picture).toContain('srcset="/media/x-480.jpg 480w, /media/x.jpg 1600w"');
    expect(picture).toContain('width="1600" height="900" alt="A &quot;desk&quot;"');
  });

  it('shows a stable drawing if it has no picture, and different drawings for different slugs', () => {
    const { picture, head } = viewArticle('post', { ...post, picture: null }, viewContext);
    expect(picture).toContain(articleDrawing('fees'));
    expect(head).toContain('<meta property="og:image" content="https://pay.example/social.png">');
    expect(/<script type="application\/ld\+json">(.*)<\/script>/.exec(head)?.[1]).not.toContain('"image"');
    const drawings = Array.from({ length: 40 }, (_, n) => articleDrawing(`post-${n}`));
    expect(new Set(drawings).size).toBeGreaterThan(15);
  });

  it('fills the shell in one pass and leaves a placeholder in the article text alone', () => {
    const view = viewArticle('post', post, viewContext);
    const shell = `<title>${shellPlaceholders.title}</title><i title="${shellPlaceholders.title}"></i>${shellPlaceholders.content}`;
    expect(fillShell(shell, view)).toBe(
      '<title>Fees &amp; &lt;b&gt;others&lt;/b&gt; &quot;today&quot;</title><i title="Fees &amp; &lt;b&gt;others&lt;/b&gt; &quot;today&quot;"></i><p>@@title@@</p>',
    );
  });
});
