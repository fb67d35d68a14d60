import type { Sample } from './sample.ts';

/** Word's clipboard content, which begins with a style sheet. `lists`: the rules of the selected lists. */
const word = (lists: string, text: string): string =>
  `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Word.Document><meta name=Generator content="Microsoft Word 15">
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style><!-- /* Font Definitions */ @font-face {font-family:Wingdings; panose-1:5 0 0 0;}
 p.MsoNormal, li.MsoNormal, div.MsoNormal {mso-style-unhide:no; margin:0in; font-size:11.0pt;}
 /* List Definitions */ ${lists} ol {margin-bottom:0in;} ul {margin-bottom:0in;} --></style></head>
<body lang=EN-US style='tab-interval:.5in;word-wrap:break-word'><!--StartFragment-->
${text}
<!--EndFragment--></body></html>`;

/** A list paragraph as Word writes it, with the mark in a span between conditional comments. */
const item = (list: string, level: number, mark: string, text: string, part = 'Middle'): string =>
  `<p class=MsoListParagraphCxSp${part} style='margin-left:${level / 2}in;mso-add-space:auto;text-indent:-.25in;mso-list:${list} level${level} lfo1'><![if !supportLists]><span style='mso-bidi-font-family:Calibri'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;

const DIGITS = '@list l0 {mso-list-id:1;} @list l0:level1 {mso-level-tab-stop:none; text-indent:-.25in;}';
const BULLETS =
  '@list l1:level1 {mso-level-number-format:bullet; mso-level-text:\\F0B7; font-family:Symbol;} @list l1:level2 {mso-level-number-format:bullet; mso-level-text:o; font-family:"Courier New";} @list l1:level3 {mso-level-number-format:bullet; mso-level-text:\\F0A7; font-family:Wingdings;}';

export const wordSamples: Sample[] = [
  {
    name: 'Word: paragraphs with bold, italic and a line wrapped in the source',
    html: word(
      '',
      `<p class=MsoNormal><b>Fees</b> and\nour <i>hours</i><o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Call us.<o:p></o:p></p>`,
    ),
    expected: '<p><strong>Fees</strong> and our <em>hours</em></p><p>Call us.</p>',
  },
  {
    name: 'Word: title, headings, quote and subtitle',
    html: word('', `<p class=MsoTitle>Our fees</p><h1>Visits</h1><h2>Children</h2><p class=MsoQuote>Kind people.</p>`),
    expected: '<h2>Our fees</h2><h2>Visits</h2><h2>Children</h2><blockquote><p>Kind people.</p></blockquote>',
  },
  {
    name: 'Word: bullets of three levels, with Symbol, Courier and Wingdings marks',
    html: word(
      BULLETS,
      [
        item('l1', 1, '·', 'Cleaning', 'First'),
        item('l1', 2, 'o', 'negative donors'),
        item('l1', 3, '§', 'deep'),
        item('l1', 1, '·', 'Filling', 'Last'),
      ].join('\n'),
    ),
    expected:
      '<ul><li><p>Cleaning</p><ul><li><p>negative donors</p><ul><li><p>deep</p></li></ul></li></ul></li><li><p>Filling</p></li></ul>',
  },
  {
    name: 'Word: an item whose text begins like a mark keeps its text',
    html: word(BULLETS, item('l1', 1, '·', 'o negative donors', 'First') + item('l1', 1, '·', '2. Floor', 'Last')),
    expected: '<ul><li><p>o negative donors</p></li><li><p>2. Floor</p></li></ul>',
  },
  {
    name: 'Word: a list paragraph without mso-list becomes a paragraph',
    html: word('', '<p class=MsoListParagraph>A. Smith founded the practice.<o:p></o:p></p>'),
    expected: '<p>A. Smith founded the practice.</p>',
  },
  {
    name: 'Word: a list paragraph with mso-list none becomes a paragraph',
    html: word('', "<p class=MsoListParagraph style='margin-left:.5in;mso-list:none'>1. Not an item<o:p></o:p></p>"),
    expected: '<p>1. Not an item</p>',
  },
  {
    name: 'Word: a list that starts at three',
    html: word(DIGITS, item('l0', 1, '3.', 'Rinse', 'First') + item('l0', 1, '4.', 'Wait', 'Last')),
    expected: '<ol start="3"><li><p>Rinse</p></li><li><p>Wait</p></li></ol>',
  },
  {
    name: 'Word: a list that continues after a paragraph keeps its numbering',
    html: word(
      DIGITS,
      `${item('l0', 1, '1.', 'Call', 'First')}<p class=MsoListParagraph>Any day.</p>${item('l0', 1, '2.', 'Come', 'Last')}`,
    ),
    expected: '<ol><li><p>Call</p></li></ol><p>Any day.</p><ol start="2"><li><p>Come</p></li></ol>',
  },
  {
    name: 'Word: bullets after numbers become a separate list',
    html: word(DIGITS + BULLETS, item('l0', 1, '1.', 'First step', 'First') + item('l1', 1, '·', 'A remark', 'Last')),
    expected: '<ol><li><p>First step</p></li></ol><ul><li><p>A remark</p></li></ul>',
  },
  {
    name: 'Word: Roman numerals from the list’s rule',
    html: word(
      '@list l2:level1 {mso-level-number-format:roman-lower; text-align:right;}',
      item('l2', 1, 'i.', 'One', 'First') + item('l2', 1, 'ii.', 'Two') + item('l2', 1, 'iii.', 'Three', 'Last'),
    ),
    expected: '<ol type="i"><li><p>One</p></li><li><p>Two</p></li><li><p>Three</p></li></ol>',
  },
  {
    name: 'Word: Roman and lettered lists without a rule, from their marks',
    html: word(
      '',
      `${item('l2', 1, 'I)', 'One', 'First')}${item('l2', 1, 'II)', 'Two', 'Last')}<p class=MsoNormal>Then</p>${item('l3', 1, 'h)', 'Eight', 'First')}${item('l3', 1, 'i)', 'Nine', 'Last')}`,
    ),
    expected:
      '<ol type="I"><li><p>One</p></li><li><p>Two</p></li></ol><p>Then</p><ol start="8" type="a"><li><p>Eight</p></li><li><p>Nine</p></li></ol>',
  },
  {
    name: 'Word: a lettered list within a numbered list',
    html: word(
      `${DIGITS}@list l0:level2 {mso-level-number-format:alpha-lower;}`,
      item('l0', 1, '1.', 'Before', 'First') +
        item('l0', 2, 'a.', 'Eat') +
        item('l0', 2, 'b.', 'Drink') +
        item('l0', 1, '2.', 'After', 'Last'),
    ),
    expected:
      '<ol><li><p>Before</p><ol type="a"><li><p>Eat</p></li><li><p>Drink</p></li></ol></li><li><p>After</p></li></ol>',
  },
  {
    name: 'Word: dashes and arrows as marks',
    html: word(
      '@list l4:level1 {mso-level-number-format:bullet; mso-level-text:-;} @list l5:level1 {mso-level-number-format:bullet; mso-level-text:\\F0D8; font-family:Wingdings;}',
      `${item('l4', 1, '-', 'Dash', 'First')}<p class=MsoNormal>And</p>${item('l5', 1, 'Ø', 'Arrow', 'Last')}`,
    ),
    expected: '<ul><li><p>Dash</p></li></ul><p>And</p><ul><li><p>Arrow</p></li></ul>',
  },
  {
    name: 'Word: chapter numbers such as 1.2. keep their last number',
    html: word(
      '@list l0:level2 {mso-level-text:"%1\\.%2\\.";}',
      item('l0', 1, '2.', 'Care', 'First') + item('l0', 2, '2.3.', 'Nights', 'Last'),
    ),
    expected: '<ol start="2"><li><p>Care</p><ol start="3"><li><p>Nights</p></li></ol></li></ol>',
  },
  {
    name: 'Word: a numbered heading keeps its number',
    html: word(
      '',
      `<h2 style='mso-list:l6 level1 lfo3'><![if !supportLists]><span style='mso-list:Ignore'>4.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>Payment</h2>`,
    ),
    expected: '<h2>4. Payment</h2>',
  },
  {
    name: 'Word: a table with a repeated header row, aligned amounts and two paragraphs in a cell',
    html: word(
      '',
      `<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;mso-yfti-tbllook:1184'><thead><tr style='mso-yfti-irow:0'><td width=312 valign=top style='padding:0in 5.4pt'><p class=MsoNormal><b>Visit</b></p></td><td width=312><p class=MsoNormal align=right style='text-align:right'><b>Fee</b></p></td></tr></thead><tr style='mso-yfti-irow:1;mso-yfti-lastrow:yes'><td><p class=MsoNormal>Check</p><p class=MsoNormal>half an hour</p></td><td><p class=MsoNormal align=right style='text-align:right'>$80</p></td></tr></table>`,
    ),
    expected:
      '<table><thead><tr><th><p>Visit</p></th><th align="right"><p>Fee</p></th></tr></thead><tbody><tr><td><p>Check</p><p>half an hour</p></td><td align="right"><p>$80</p></td></tr></tbody></table>',
  },
  {
    name: 'Word: bullets in a cell',
    html: word(
      BULLETS,
      `<table class=MsoTableGrid><tr><td>${item('l1', 1, '·', 'One', 'First')}${item('l1', 1, '·', 'Two', 'Last')}</td><td><p class=MsoNormal>Plain</p></td></tr></table>`,
    ),
    expected:
      '<table><tbody><tr><td><ul><li><p>One</p></li><li><p>Two</p></li></ul></td><td><p>Plain</p></td></tr></tbody></table>',
  },
  {
    name: 'Word: strikethrough, superscript and subscript stay, underline is dropped',
    html: word(
      '',
      '<p class=MsoNormal><s>$90</s> <u>now</u> $80<sup>1</sup>, H<sub>2</sub>O, <span style="text-decoration:line-through">old</span></p>',
    ),
    expected: '<p><s>$90</s> now $80<sup>1</sup>, H<sub>2</sub>O, <del>old</del></p>',
  },
  {
    name: 'Word: links, bookmarks and a footnote',
    html: word(
      '',
      `<p class=MsoNormal><a name="_Toc1"></a><a href="HTTPS://example.com/Fees"><span style='mso-fareast-font-family:Calibri'>Fees</span></a>, <a href="#_Toc1">above</a><a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference>[1]</span></a></p>`,
    ),
    expected: '<p><a href="https://example.com/Fees">Fees</a>, above[1]</p>',
  },
  {
    name: 'Word: a picture from the disk is left out',
    html: word(
      '',
      `<p class=MsoNormal>Before <!--[if gte vml 1]><v:shape id="p" style='width:9pt'><v:imagedata src="file:///C:/Users/me/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img width=9 height=9 src="file:///C:/Users/me/clip_image002.png" v:shapes="p"><![endif]>after<o:p></o:p></p>`,
    ),
    expected: '<p>Before after</p>',
  },
  {
    name: 'Word: comments and hidden text are not pasted',
    html: word(
      '',
      `<p class=MsoNormal>Shown<span style='mso-hide:all;display:none'> hidden</span><span class=MsoCommentReference></span></p><div style='mso-element:comment-list'><p>Check this!</p></div>`,
    ),
    expected: '<p>Shown</p>',
  },
  {
    name: 'Word: smart tags become their text',
    html: word(
      '',
      `<p class=MsoNormal>In <st1:place w:st="on"><st1:City w:st="on">Springfield</st1:City></st1:place><o:p> today</o:p></p>`,
    ),
    expected: '<p>In Springfield today</p>',
  },
  {
    name: 'Word for the web: items in separate lists, with their levels',
    html: `<meta charset='utf-8'><div class="OutlineElement Ltr SCXW1 BCX0"><p class="Paragraph SCXW1" role="heading" style="font-weight:normal;font-style:normal"><span class="TextRun SCXW1" style="font-weight:bold"><span class="NormalTextRun SCXW1">Plan</span></span><span class="EOP SCXW1" style="font-size:11pt">&nbsp;</span></p></div><div class="ListContainerWrapper SCXW1"><ul class="BulletListStyle1 SCXW1" role="list" style="list-style-type:disc"><li class="OutlineElement Ltr SCXW1" data-leveltext="●" data-listid="1" data-aria-level="1" role="listitem"><p class="Paragraph SCXW1"><span class="TextRun">Call</span></p></li></ul></div><div class="ListContainerWrapper SCXW1"><ul class="BulletListStyle2" role="list"><li data-leveltext="○" data-listid="1" data-aria-level="2" role="listitem"><p class="Paragraph"><span>by noon</span></p></li></ul></div><div class="ListContainerWrapper SCXW1"><ul role="list"><li data-listid="1" data-aria-level="1" role="listitem"><p class="Paragraph"><span>Come</span></p></li></ul></div>`,
    expected:
      '<p><strong>Plan</strong></p><ul><li><p>Call</p><ul><li><p>by noon</p></li></ul></li><li><p>Come</p></li></ul>',
  },
];
