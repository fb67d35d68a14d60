import type { Sample } from './sample.ts';

const excel = (styles: string, rows: string): string =>
  `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta name=ProgId content=Excel.Sheet><meta name=Generator content="Microsoft Excel 15">
<style><!--table {mso-displayed-decimal-separator:"\\.";} tr {mso-height-source:auto;} col {mso-width-source:auto;} br {mso-data-placement:same-cell;}
td {padding-top:1px; color:black; font-size:11.0pt; font-weight:400; font-style:normal; text-align:general; vertical-align:bottom;}
${styles}--></style></head><body link="#0563C1" vlink="#954F72">
<table border=0 cellpadding=0 cellspacing=0 width=192 style='border-collapse:collapse;width:144pt'><!--StartFragment--> <col width=64 span=2 style='width:48pt'>
${rows}
<!--EndFragment--></table></body></html>`;

const outlook = (text: string): string =>
  `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15 (filtered medium)"><style><!-- p.MsoNormal {margin:0in; font-family:"Aptos",sans-serif;} span.EmailStyle17 {mso-style-type:personal-compose;} --></style></head><body lang=EN-US link="#467886" style='word-wrap:break-word'><div class=WordSection1>${text}</div></body></html>`;

export const officeSamples: Sample[] = [
  {
    name: 'Excel: bold text and alignment from style sheet classes',
    html: excel(
      '.xl65 {mso-style-parent:style0; font-weight:700;} .xl66 {mso-number-format:"\\0022$\\0022\\#\\,\\#\\#0"; text-align:right;}',
      `<tr height=20 style='height:15.0pt'><td height=20 class=xl65 width=64>Visit</td><td class=xl65 width=64>Fee</td></tr><tr height=20><td height=20>Check</td><td class=xl66>$80</td></tr>`,
    ),
    expected:
      '<table><tbody><tr><td><p><strong>Visit</strong></p></td><td><p><strong>Fee</strong></p></td></tr><tr><td><p>Check</p></td><td align="right"><p>$80</p></td></tr></tbody></table>',
  },
  {
    name: 'Excel: alignment from an attribute, and line breaks in a cell',
    html: excel(
      '.xl65 {white-space:normal;}',
      `<tr height=60><td height=60 class=xl65>12 Main St.<br>\n    Springfield<br>\n    IL</td><td align=right>62704</td></tr><tr height=20><td>B</td><td align=right>2</td></tr>`,
    ),
    expected:
      '<table><tbody><tr><td><p>12 Main St.<br>Springfield<br>IL</p></td><td align="right"><p>62704</p></td></tr><tr><td><p>B</p></td><td align="right"><p>2</p></td></tr></tbody></table>',
  },
  {
    name: 'Excel: merged cells, hidden rows and empty rows at the end',
    html: excel(
      '',
      `<tr><td colspan=2>Fees</td></tr><tr style='display:none'><td>secret</td><td>1</td></tr><tr><td rowspan=2>Check</td><td>80</td></tr><tr><td>90</td></tr><tr height=20><td></td><td></td></tr><![if supportMisalignedColumns]><tr height=0 style='display:none'><td width=64></td><td width=64></td></tr><![endif]>`,
    ),
    expected:
      '<table><tbody><tr><td colspan="2"><p>Fees</p></td></tr><tr><td rowspan="2"><p>Check</p></td><td><p>80</p></td></tr><tr><td><p>90</p></td></tr></tbody></table>',
  },
  {
    name: 'Excel: strikethrough and italic text within a cell',
    html: excel(
      '.font5 {font-style:italic;} .xl67 {text-decoration:line-through;}',
      `<tr><td class=xl67>90</td><td>now <font class="font5">only</font> 80</td></tr>`,
    ),
    expected:
      '<table><tbody><tr><td><p><del>90</del></p></td><td><p>now <em>only</em> 80</p></td></tr></tbody></table>',
  },
  {
    name: 'Excel: a single cell becomes text',
    html: excel('', `<tr height=20><td height=20 class=xl65 align=right>80</td></tr>`),
    expected: '<p>80</p>',
  },
  {
    name: 'Excel for the web: alignment from styles',
    html: `<html><head><meta name="generator" content="ExcelOnline"></head><body><div ccp_infra_version='3'><table width="128" style="border-collapse:collapse"><col width="64"><col width="64"><!--StartFragment--><tr height="20"><td style="font-weight:700;text-align:center">Day</td><td style="text-align:right">1</td></tr><tr><td>Mon</td><td style="text-align:right">2</td></tr><!--EndFragment--></table></div></body></html>`,
    expected:
      '<table><tbody><tr><td align="center"><p><strong>Day</strong></p></td><td align="right"><p>1</p></td></tr><tr><td><p>Mon</p></td><td align="right"><p>2</p></td></tr></tbody></table>',
  },
  {
    name: 'Outlook: a mail with its header',
    html: outlook(
      `<p class=MsoNormal>Dear team,<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Closed on <b>Monday</b>.<o:p></o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in'><p class=MsoNormal><b><span style='font-family:"Calibri",sans-serif'>From:</span></b> Grace Hill<br><b>Sent:</b> Friday<o:p></o:p></p></div>`,
    ),
    expected:
      '<p>Dear team,</p><p>Closed on <strong>Monday</strong>.</p><p><strong>From:</strong> Grace Hill<br><strong>Sent:</strong> Friday</p>',
  },
  {
    name: 'Outlook: lists with list elements and classes',
    html: outlook(
      `<ol style='margin-top:0in' start=2 type=a><li class=MsoListParagraph style='margin-left:0in;mso-list:l0 level1 lfo1'>Bring the form<o:p></o:p></li><li class=MsoListParagraph style='mso-list:l0 level1 lfo1'>Come<ul type=circle><li class=MsoListParagraph style='mso-list:l0 level2 lfo1'>early<o:p></o:p></li></ul></li></ol>`,
    ),
    expected:
      '<ol start="2" type="a"><li><p>Bring the form</p></li><li><p>Come</p><ul><li><p>early</p></li></ul></li></ol>',
  },
  {
    name: 'Outlook: a Safe Links address is replaced by its target',
    html: outlook(
      `<p class=MsoNormal><a href="https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2Ffees%3Fa%3D1&amp;data=05%7C02&amp;reserved=0" originalsrc="https://example.com/fees?a=1" shash="x=">Our fees</a></p>`,
    ),
    expected: '<p><a href="https://example.com/fees?a=1">Our fees</a></p>',
  },
  {
    name: 'Outlook on the web: div elements instead of paragraphs',
    html: `<div style="font-family: Aptos, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);" class="elementToProof">Hello <i style="font-style:normal">there</i></div><div class="elementToProof"><br></div><ul data-editing-info='{"applyListStyleFromLevel":true}'><li style="font-size: 12pt;"><div role="presentation" class="elementToProof">One</div></li><li><div role="presentation">Two</div></li></ul>`,
    expected: '<p>Hello there</p><ul><li><p>One</p></li><li><p>Two</p></li></ul>',
  },
  {
    name: 'A mail laid out with tables becomes text',
    html: `<table role="presentation" width="600"><tr><td><table width="100%"><tr><td align="center"><h1>News</h1></td></tr><tr><td><p>We moved.</p></td></tr></table></td></tr><tr><td><img src="https://t.example/o.gif" width="1" height="1"></td></tr></table>`,
    expected: '<h2>News</h2><p>We moved.</p>',
  },
  {
    name: 'LibreOffice: paragraphs, fonts and a list',
    html: `<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 24.2 (Linux)"/><style type="text/css">p { line-height: 115% }</style></head><body lang="en-US"><p style="line-height: 100%"><font face="Liberation Serif"><font size="3"><b>Fees</b></font></font></p><ol start="2"><li><p>Two</p></li><ol type="a"><li><p>Letter</p></li></ol></ol></body></html>`,
    expected:
      '<p><strong>Fees</strong></p><ol start="2"><li><p>Two</p><ol type="a"><li><p>Letter</p></li></ol></li></ol>',
  },
  {
    name: 'OneNote: numbers from the items’ values',
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft OneNote 15"></head><body lang=en-US style='font-family:Calibri'><!--StartFragment--><ol type=1 style='margin-left:.375in;direction:ltr;unicode-bidi:embed;font-weight:normal;font-style:normal'><li value=4 style='margin-top:0;vertical-align:middle'><span style='font-weight:normal'>Four</span></li><li style='vertical-align:middle'><span style='font-weight:bold'>Five</span></li></ol><!--EndFragment--></body></html>`,
    expected: '<ol start="4"><li><p>Four</p></li><li><p><strong>Five</strong></p></li></ol>',
  },
];
