import { describe, expect, it } from 'vitest';
import { attacks } from '#tests/support/content/attacks';
import { cleanHtml } from './clean-html.ts';
import { articleHtml } from './html.ts';

const picture = {
  url: '/media/x.jpg',
  alt: 'A front desk',
  width: 2000,
  height: 1000,
  variants: [
    { url: '/media/x-960.jpg', width: 960, height: 480 },
    { url: '/media/x-480.jpg', width: 480, height: 240 },
  ],
};
const render = (html: string) => articleHtml('post', html, new Map([[picture.url, picture]]));

describe('rendering stored article HTML', () => {
  it('cleans it again in case the database was edited by hand', () => {
    for (const attack of attacks) {
      // Text inside an attribute is harmless.
      const html = render(attack).replace(/="[^"]*"/g, '=""');
      const tags = (html.match(/<[^>]*>/g) ?? []).join('');
      expect(tags).not.toMatch(/<(?:script|style|iframe|object|embed|form|svg|math|base|link|meta)\b|\son\w+=/i);
      expect(render(attack)).not.toMatch(/(?:href|src)="\s*(?:javascript|data|vbscript):/i);
    }
    expect(render('<p onclick="x()">a</p><script>alert(1)</script>')).toBe('<p>a</p>');
  });

  it('shows a notice for text that cannot be cleaned, but never for saved text', () => {
    expect(render('<b>'.repeat(5000))).toBe('<p>Failed to fetch post</p>');
    for (const text of ['<'.repeat(50_000), `<p>${'<b>'.repeat(150)}</i>x</p>`, `${'<blockquote>'.repeat(199)}x`]) {
      const cleaned = cleanHtml(text);
      expect(cleaned.kind).toBe('clean');
      expect(render(cleaned.kind === 'clean' ? cleaned.html : '')).not.toContain('Failed to fetch');
    }
  });

  it('gives library pictures their dimensions, srcset and alt text', () => {
    const html = render('<p><img src="/media/x.jpg"></p>');
    for (const part of [
      'width="2000"',
      'height="1000"',
      'srcset="/media/x-480.jpg 480w, /media/x-960.jpg 960w, /media/x.jpg 2000w"',
      'alt="A front desk"',
      'loading="lazy"',
    ]) {
      expect(html).toContain(part);
    }
    expect(render('<img src="/media/x.jpg" alt="Mine">')).toContain('alt="Mine"');
    expect(render('<img src="/media/x.jpg" alt="" role="presentation">')).toContain('alt="" role="presentation"');
    expect(render('<img src="/media/x-480.jpg">')).toContain('src="/media/x-480.jpg" alt=""');
  });

  it('removes only pictures that are no longer in the library', () => {
    expect(render('<p>a<img src="/media/gone.jpg" alt="Gone">b</p><img src="/media/gone.jpg">')).toBe('<p>ab</p>');
    for (const fragment of [
      '<a href="/media/gone.pdf">x</a>',
      '<img src="/icon.png"',
      '<img src="https://a.example/media/x.jpg"',
    ]) {
      expect(render(`<p>${fragment}${fragment.endsWith('>') ? '' : '>'}</p>`)).toContain(fragment);
    }
  });

  it('wraps tables in a scroll frame, lowers headings and turns empty header cells into plain cells', () => {
    expect(render('<h1>A</h1>')).toBe('<h2>A</h2>');
    const table = render('<table><tbody><tr><th></th><th>A</th></tr></tbody></table>');
    expect(table).toMatch(/^<div class="table-frame" role="region" aria-label="Table" tabindex="0"><table>/);
    expect(table).toContain('<tr><td></td><th>A</th></tr>');
  });

  it('numbers the frame labels of several tables', () => {
    const table = '<table><tbody><tr><td>A</td></tr></tbody></table>';
    const names = [...render(`${table}<blockquote>${table}</blockquote>`).matchAll(/aria-label="([^"]+)"/g)];
    expect(names.map(([, name]) => name)).toEqual(['Table 1', 'Table 2']);
  });
});
