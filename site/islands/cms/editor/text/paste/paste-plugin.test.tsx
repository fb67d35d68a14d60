import { Slice } from '@milkdown/kit/prose/model';
import { EditorState, TextSelection, type Transaction } from '@milkdown/kit/prose/state';
import { tableEditing } from '@milkdown/kit/prose/tables';
import type { EditorView } from '@milkdown/kit/prose/view';
import { describe, expect, it } from 'vitest';
import { documentOf, prepareArticleSchema } from '#tests/support/components/article-schema';
import { parseArticle, writeArticle } from '../article-html.ts';
import { describeLeftOut } from '../TextPart.tsx';
import { pasteProps, readPastedFiles, readPlainText } from './paste-plugin.ts';
import { picturesOfRtf, takePictures } from './pictures.ts';

const schema = prepareArticleSchema();
const png = (name: string) => new File([new Uint8Array([1])], name, { type: 'image/png' });
const sliceOf = (html: string): Slice => new Slice(parseArticle(schema(), documentOf(html).body).content, 0, 0);
const dataWith = (files: File[], rtf = ''): DataTransfer =>
  ({ files, getData: (type: string) => (type === 'text/rtf' ? rtf : '') }) as unknown as DataTransfer;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const RTF_PICTURE =
  '{\\pict{\\*\\picprop\\shplid1025{\\sp{\\sn shapeType}{\\sv 75}}}\\picscalex100\\pngblip\\bliptag-1{\\*\\blipuid 0a0b}\n89504e470d0a1a0a0000000d49484452\n0000000100000001}';

describe('plain text', () => {
  const textOf = (text: string) => writeArticle(schema().node('doc', null, readPlainText(text, schema()).content));

  it('keeps single line ends, and starts a paragraph after empty lines', () => {
    expect(textOf('Maple Dental\r\n12 Main St.\r\nSpringfield\r\n\r\n\r\nCall us\n')).toBe(
      '<p>Maple Dental<br>12 Main St.<br>Springfield</p><p>Call us</p>',
    );
  });

  it('is not interpreted as formatting', () => {
    expect(textOf('# 5 *stars* <b>\n1986. A good year')).toBe('<p># 5 *stars* &lt;b&gt;<br>1986. A good year</p>');
  });
});

it('rows pasted into a cell become lines in that cell', () => {
  const cell = '<table><tbody><tr><td><p>here</p></td></tr></tbody></table>';
  const doc = parseArticle(schema(), documentOf(cell).body);
  let state = EditorState.create({ doc, plugins: [tableEditing()] });
  let at = 0;
  doc.descendants((node, position) => {
    if (node.isText) at = position + node.nodeSize;
  });
  state = state.apply(state.tr.setSelection(TextSelection.create(doc, at)));
  const view = {
    get state() {
      return state;
    },
    dispatch: (transaction: Transaction) => {
      state = state.apply(transaction);
    },
  } as unknown as EditorView;
  const { handlePaste } = pasteProps(() => undefined);
  const rows = sliceOf(
    '<table><tbody><tr><td>Visit</td><td>80</td></tr><tr><td>Check</td><td></td></tr></tbody></table>',
  );
  const event = { clipboardData: { files: [], types: ['text/html'], getData: () => '' } } as unknown as ClipboardEvent;
  expect(handlePaste?.call({} as never, view, event, rows)).toBe(true);
  expect(writeArticle(state.doc)).toBe('<table><tbody><tr><td><p>hereVisit 80<br>Check</p></td></tr></tbody></table>');
});

describe('pasted pictures', () => {
  const noPictures = { embedded: [], local: 0, foreign: 0 };

  it('are all accepted if only files are pasted', () => {
    const files = [png('a.png'), png('b.png'), new File(['x'], 'c.pdf', { type: 'application/pdf' })];
    expect(readPastedFiles(dataWith(files), noPictures, Slice.empty)).toEqual({
      files: files.slice(0, 2),
      local: 0,
      foreign: 0,
      refused: ['c.pdf is not a PNG, JPEG, WebP or GIF image.'],
    });
  });

  it('are read from the file if a picture was copied from a web page', () => {
    const file = png('image.png');
    const result = readPastedFiles(dataWith([file]), { ...noPictures, foreign: 1 }, sliceOf('<p></p>'));
    expect(result).toMatchObject({ files: [file], foreign: 0 });
  });

  it('are not read from the file if text was copied, since the file shows the whole selection', () => {
    const result = readPastedFiles(dataWith([png('image.png')]), { ...noPictures, foreign: 1 }, sliceOf('<p>Text</p>'));
    expect(result).toMatchObject({ files: [], foreign: 1 });
  });

  it('are read from Word’s RTF if it has all of them, and counted as left out otherwise', () => {
    const text = sliceOf('<p>Text</p>');
    const complete = readPastedFiles(dataWith([], `{\\rtf1 ${RTF_PICTURE} text}`), { ...noPictures, local: 1 }, text);
    expect(complete).toMatchObject({ files: [{ type: 'image/png', size: 24 }], local: 0 });
    expect(readPastedFiles(dataWith([], `{\\rtf1 ${RTF_PICTURE}}`), { ...noPictures, local: 2 }, text)).toMatchObject({
      files: [],
      local: 2,
    });
  });

  it('are classified by their location', () => {
    const { body } = documentOf(
      `<p><img src="data:image/png;base64,${PNG}"><img src="file:///C:/a.png"><img src="https://x.example/b.png"><img src="https://x.example/pixel.gif" width="1" height="1"><img src="/media/c.png"></p>`,
    );
    const { embedded, local, foreign } = takePictures(body, 'https://tillway.example');
    expect(embedded.map(({ name, type }) => [name, type])).toEqual([['picture-1.png', 'image/png']]);
    expect([local, foreign, body.querySelectorAll('img').length]).toEqual([1, 1, 1]);
  });

  it('are not read from RTF in a format that no browser shows', () => {
    expect(picturesOfRtf(RTF_PICTURE.replace('pngblip', 'emfblip'))).toEqual([]);
  });

  it('are reported as left out, with the reason for each', () => {
    expect(describeLeftOut({ local: 0, foreign: 0, refused: [] })).toEqual([]);
    expect(
      describeLeftOut({ local: 2, foreign: 1, refused: ['c.mov is not a PNG, JPEG, WebP or GIF image.'] }),
    ).toEqual([
      '2 images were left out: the program did not copy the file itself. Save it there, then insert it with Image.',
      'Images from other sites were left out. Upload them instead.',
      'c.mov is not a PNG, JPEG, WebP or GIF image.',
    ]);
  });
});
