import type { Sample } from './sample.ts';

/** Google Docs wraps copied content in a <b> element and cancels its boldness with a style. */
const docs = (text: string): string =>
  `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-5f0c9c1e-7fff-1a2b">${text}</b><br class="Apple-interchange-newline">`;

const span = (
  text: string,
  style = 'font-weight:400;font-style:normal;text-decoration:none;vertical-align:baseline',
): string =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;${style};white-space:pre;white-space:pre-wrap;">${text}</span>`;

const p = (text: string): string =>
  `<p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;">${text}</p>`;

const li = (text: string, level = 1, marker = ''): string =>
  `<li dir="ltr" style="list-style-type:${marker || 'disc'};font-size:11pt;font-weight:400;font-style:normal;vertical-align:baseline;white-space:pre;" aria-level="${level}"><p dir="ltr" style="line-height:1.38;" role="presentation">${span(text)}</p></li>`;

const BOLD = 'font-weight:700;font-style:normal;text-decoration:none;vertical-align:baseline';

export const googleSamples: Sample[] = [
  {
    name: 'Google Docs: the wrapper does not make text bold',
    html: docs(
      p(
        `${span('Plain ')}${span('bold', BOLD)}${span(' and ')}${span('slanted', 'font-weight:400;font-style:italic')}`,
      ),
    ),
    expected: '<p>Plain <strong>bold</strong> and <em>slanted</em></p>',
  },
  {
    name: 'Google Docs: strikethrough, superscript and subscript',
    html: docs(
      p(
        `${span('old', 'font-weight:400;text-decoration:line-through')}${span(' m')}${span('<span style="font-size:0.6em;vertical-align:super;">2</span>')}${span(' H')}${span('<span style="font-size:0.6em;vertical-align:sub;">2</span>')}${span('O')}`,
      ),
    ),
    expected: '<p><del>old</del> m<sup>2</sup> H<sub>2</sub>O</p>',
  },
  {
    name: 'Google Docs: headings of two levels',
    html: docs(
      `<h1 dir="ltr" style="line-height:1.38;margin-top:20pt;">${span('Fees', BOLD)}</h1><h2 dir="ltr">${span('Children')}</h2>${p(span('Text'))}`,
    ),
    expected: '<h2>Fees</h2><h2>Children</h2><p>Text</p>',
  },
  {
    name: 'Google Docs: a nested list placed beside its item',
    html: docs(
      `<ul style="margin-top:0;margin-bottom:0;padding-inline-start:48px;">${li('One')}<ul style="margin-top:0;">${li('Inside', 2)}<ul>${li('Deep', 3)}</ul></ul>${li('Two')}</ul>`,
    ),
    expected:
      '<ul><li><p>One</p><ul><li><p>Inside</p><ul><li><p>Deep</p></li></ul></li></ul></li><li><p>Two</p></li></ul>',
  },
  {
    name: 'Google Docs: numbered, lettered and Roman lists',
    html: docs(
      `<ol style="margin-top:0;" start="3">${li('Three', 1, 'decimal')}<ol>${li('Letter', 2, 'lower-alpha')}<ol>${li('Roman', 3, 'lower-roman')}</ol></ol></ol>`,
    ),
    expected:
      '<ol start="3"><li><p>Three</p><ol type="a"><li><p>Letter</p><ol type="i"><li><p>Roman</p></li></ol></li></ol></li></ol>',
  },
  {
    name: 'Google Docs: a checklist',
    html: docs(
      `<ul><li dir="ltr" role="checkbox" aria-checked="true" aria-level="1" style="list-style-type:none"><img src="data:image/png;base64,iVBORw0KGgo=" width="17px" height="17px" alt="checked" aria-roledescription="checkbox"/><p dir="ltr" style="display:inline-block" role="presentation">${span('Form')}</p></li><li dir="ltr" role="checkbox" aria-checked="false" aria-level="1"><img src="data:image/png;base64,iVBORw0KGgo=" alt="unchecked"/><p role="presentation">${span('Card')}</p></li></ul>`,
    ),
    expected:
      '<ul><li data-item-type="task" data-checked="true"><p>Form</p></li><li data-item-type="task" data-checked="false"><p>Card</p></li></ul>',
  },
  {
    name: 'Google Docs: a table in a wrapper, with aligned cells',
    html: docs(
      `<div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;border-collapse:collapse;"><colgroup><col width="301"/><col width="301"/></colgroup><tbody><tr style="height:0pt"><td style="border-left:solid #000 1pt;vertical-align:top;">${p(span('Visit', BOLD))}</td><td style="vertical-align:top;"><p dir="ltr" style="text-align: right;">${span('Fee', BOLD)}</p></td></tr><tr><td>${p(span('Check'))}</td><td><p dir="ltr" style="text-align: right;">${span('$80')}</p></td></tr></tbody></table></div><br/>`,
    ),
    expected:
      '<table><tbody><tr><td><p><strong>Visit</strong></p></td><td align="right"><p><strong>Fee</strong></p></td></tr><tr><td><p>Check</p></td><td align="right"><p>$80</p></td></tr></tbody></table>',
  },
  {
    name: 'Google Docs: a link, and a redirect link of a published page',
    html: docs(
      p(
        `<a href="https://example.com/" style="text-decoration:none;">${span('Site', 'color:#1155cc;text-decoration:underline')}</a>${span(', ')}<a href="https://www.google.com/url?q=https://example.com/fees&amp;sa=D&amp;ust=1">${span('fees')}</a>`,
      ),
    ),
    expected: '<p><a href="https://example.com/">Site</a>, <a href="https://example.com/fees">fees</a></p>',
  },
  {
    name: 'Google Docs: line breaks within a paragraph, and empty lines between paragraphs',
    html: docs(`${p(`${span('12 Main St.')}${span('<br>')}${span('Springfield')}`)}<br/>${p(span('Call us'))}`),
    expected: '<p>12 Main St.<br>Springfield</p><p>Call us</p>',
  },
  {
    name: 'Google Docs: a picture in the text is left out',
    html: docs(
      p(
        `${span('Before ')}<span style="display:inline-block;width:90px;"><img src="https://lh7-rt.googleusercontent.com/docsz/AD_4" width="90" height="60"/></span>${span('after')}`,
      ),
    ),
    expected: '<p>Before after</p>',
  },
  {
    name: 'Google Sheets: cells with inline styles, one with a line break',
    html: `<meta charset='utf-8'><google-sheets-html-origin><style type="text/css"><!--td {border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0" cellpadding="0" dir="ltr" border="1" data-sheets-root="1"><colgroup><col width="100"/><col width="100"/></colgroup><tbody><tr style="height:21px;"><td style="overflow:hidden;padding:2px 3px;vertical-align:bottom;font-weight:bold;" data-sheets-value="{&quot;1&quot;:2}">Visit</td><td style="font-weight:bold;text-align:right;">Fee</td></tr><tr><td style="vertical-align:bottom;">Check<br/>short</td><td style="text-align:right;" data-sheets-numberformat="{}">80</td></tr></tbody></table>`,
    expected:
      '<table><tbody><tr><td><p><strong>Visit</strong></p></td><td align="right"><p><strong>Fee</strong></p></td></tr><tr><td><p>Check<br>short</p></td><td align="right"><p>80</p></td></tr></tbody></table>',
  },
];
