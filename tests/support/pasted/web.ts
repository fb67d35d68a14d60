import type { Sample } from './sample.ts';

export const webSamples: Sample[] = [
  {
    name: 'Web page: scripts, styles and buttons are not pasted',
    html: `<html><body><!--StartFragment--><div style="color: rgb(32, 33, 34); font-family: sans-serif;"><script>alert(1)</script><style>p{color:red}</style><p onclick="x()">Text</p><button>Buy</button></div><!--EndFragment--></body></html>`,
    expected: '<p>Text</p>',
  },
  {
    name: 'Web page: absolute, relative, in-page and script links',
    html: `<html><head><base href="https://news.example/a/"></head><body><p><a href="https://example.com/x">far</a> <a href="more.html">near</a> <a href="#top">top</a> <a href="javascript:alert(1)">bad</a></p></body></html>`,
    expected:
      '<p><a href="https://example.com/x">far</a> <a href="https://news.example/a/more.html">near</a> top bad</p>',
  },
  {
    name: 'Web page: a relative link without a base keeps only its text',
    html: '<p>See <a href="/contact">how to reach them</a>.</p>',
    expected: '<p>See how to reach them.</p>',
  },
  {
    name: 'This site: links and pictures stay, as paths',
    html: '<p><a href="https://tillway.example/blog?page=2">blog</a> <img src="https://tillway.example/media/abc.png" alt="A desk"></p>',
    expected: '<p><a href="/blog?page=2">blog</a> <img src="/media/abc.png" alt="A desk"></p>',
  },
  {
    name: 'Web page: pictures are left out, emoji pictures become characters',
    html: '<p>Fine <img class="emoji" alt="🙂" src="https://s.example/1f642.svg"> day<img src="https://s.example/photo.jpg" alt="A sunny street"></p>',
    expected: '<p>Fine 🙂 day</p>',
  },
  {
    name: 'Encyclopedia: a table with row headers and a caption',
    html: `<table class="wikitable"><caption>Visits by year</caption><tbody><tr><th scope="col">Year</th><th scope="col" style="text-align:right">Visits</th></tr><tr><th scope="row">2025</th><td style="text-align: right;">12<sup id="cite_ref-1"><a href="#cite_note-1">[1]</a></sup></td></tr></tbody></table>`,
    expected:
      '<p>Visits by year</p><table><tbody><tr><th><p>Year</p></th><th align="right"><p>Visits</p></th></tr><tr><th><p>2025</p></th><td align="right"><p>12<sup>[1]</sup></p></td></tr></tbody></table>',
  },
  {
    name: 'Web page: code, a heading and a list at the start of an item',
    html: '<ul><li><pre><code class="language-js">a = 1\nb = 2</code></pre>then</li><li><h3>Part</h3><p>Text</p></li><li><ul><li>inner</li></ul></li></ul>',
    expected:
      '<ul><li><pre data-language="js"><code>a = 1\nb = 2</code></pre><p>then</p></li><li><h3>Part</h3><p>Text</p></li><li><ul><li><p>inner</p></li></ul></li></ul>',
  },
  {
    name: 'Code editor: lines in a monospace font become a code block',
    html: `<meta charset='utf-8'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: 'Droid Sans Mono', 'monospace';font-weight: normal;font-size: 14px;white-space: pre;"><div><span style="color: #569cd6;">let</span> a = 1;</div><div>  b();</div></div>`,
    expected: '<pre><code>let a = 1;\n  b();</code></pre>',
  },
  {
    name: 'Web page: a quote, a rule and three kinds of strikethrough',
    html: '<blockquote class="q"><p>Quoted</p></blockquote><hr class="wide"><p><s>a</s> <del>b</del> <strike>c</strike></p>',
    expected: '<blockquote><p>Quoted</p></blockquote><hr><p><s>a</s> <del>b</del> <s>c</s></p>',
  },
  {
    name: 'Web page: a style can cancel italic and bold elements',
    html: '<p><i style="font-style:normal">icon</i> <em>word</em> <strong style="font-weight:400">thin</strong> <b>thick <span style="font-weight:400">not</span></b></p>',
    expected: '<p>icon <em>word</em> thin <strong>thick </strong>not</p>',
  },
  {
    name: 'Browser on a Mac: converted non-breaking spaces become plain spaces',
    html: '<meta charset=\'utf-8\'><span style="caret-color: rgb(0, 0, 0);">One<span class="Apple-converted-space">&nbsp;</span>two</span>',
    expected: '<p>One two</p>',
  },
  {
    name: 'Apple Notes: a list with a dash style and a title',
    html: '<html><head><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px}</style></head><body><p class="p1"><span class="s1"><b>Plan</b></span></p><ul class="Apple-dash-list"><li class="li1"><span class="s2"></span>First</li></ul></body></html>',
    expected: '<p><strong>Plan</strong></p><ul><li><p>First</p></li></ul>',
  },
];
