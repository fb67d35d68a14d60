import { Fragment, type Node as ProseNode, type Schema, Slice } from '@milkdown/kit/prose/model';
import { TextSelection } from '@milkdown/kit/prose/state';
import { isInTable } from '@milkdown/kit/prose/tables';
import type { EditorProps, EditorView } from '@milkdown/kit/prose/view';
import { sortFiles } from '#site/islands/cms/media/check-file.ts';
import { cleanPaste } from './clean-paste.ts';
import { type PastedPictures, picturesOfRtf } from './pictures.ts';

/**
 * `files`: pictures to insert once they are described. Everything else was left out: `local` and `foreign` count
 * pictures, and `refused` has a reason for each file.
 */
export type PasteResult = { files: File[]; local: number; foreign: number; refused: string[] };

const NO_PICTURES: PastedPictures = { embedded: [], local: 0, foreign: 0 };

/** Editor options that handle a paste or a drop. `onFiles`: called once if files or pictures came with it. */
export function pasteProps(onFiles: (result: PasteResult) => void): EditorProps {
  let pictures = NO_PICTURES;
  const takeFiles = (data: DataTransfer | null, slice: Slice): boolean => {
    const result = readPastedFiles(data, pictures, slice);
    pictures = NO_PICTURES;
    const { files, local, foreign, refused } = result;
    if (files.length + local + foreign + refused.length > 0) onFiles(result);
    return !hasContent(slice) && data?.types.length !== 0;
  };
  return {
    transformPastedHTML: (html) => {
      const cleaned = cleanPaste(new DOMParser().parseFromString(html, 'text/html'), window.location.origin);
      pictures = cleaned.pictures;
      return cleaned.html;
    },
    clipboardTextParser: (text, context, _isPlain, view) => readPlainText(text, view.state.schema, context.marks()),
    handlePaste: (view, event, slice) => takeFiles(event.clipboardData, slice) || pasteTableAsText(view, slice),
    handleDrop: (view, event, slice) => {
      const data = event.dataTransfer;
      if (!data || data.files.length === 0) {
        if (takeFiles(data, slice)) event.preventDefault();
        return false;
      }
      // Otherwise the browser would open the file in place of the editor.
      event.preventDefault();
      selectAt(view, event);
      takeFiles(data, Slice.empty);
      return true;
    },
  };
}

function hasContent({ content }: Slice): boolean {
  let hasAny = false;
  content.descendants((node) => {
    hasAny ||=
      node.type.name === 'image' || node.type.name === 'hr' || (node.isText && (node.text ?? '').trim() !== '');
    return !hasAny;
  });
  return hasAny;
}

/**
 * If the selection has text, a program's picture file shows the whole selection, so only pictures within the text
 * count. Otherwise, the file is the picture.
 */
export function readPastedFiles(
  data: DataTransfer | null,
  { embedded, local, foreign }: PastedPictures,
  slice: Slice,
): PasteResult {
  const pastedFiles = [...(data?.files ?? [])];
  const isPictureOnly = !hasContent(slice);
  const { good, refused } = sortFiles(pastedFiles, 'pictures');
  if (isPictureOnly && good.length > 0) return { files: good, local: 0, foreign: 0, refused };
  const rtfPictures = local > 0 ? picturesOfRtf(data?.getData('text/rtf') ?? '') : [];
  const isComplete = rtfPictures.length === local;
  return {
    files: isComplete ? [...embedded, ...rtfPictures] : embedded,
    local: isComplete ? 0 : local,
    foreign,
    refused: isPictureOnly ? refused : [],
  };
}

function selectAt(view: EditorView, event: DragEvent): void {
  const position = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (position) view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(position.pos))));
}

/** Reads plain text literally: an empty line separates paragraphs, a line end is a line break. */
export function readPlainText(text: string, schema: Schema, marks: ProseNode['marks'] = []): Slice {
  const { paragraph, hardbreak } = schema.nodes;
  const paragraphs = text
    .replaceAll(/\r\n?|\u2028/g, '\n')
    .replaceAll(/^\n+|\n+$/g, '')
    .split(/\n[ \t]*\n\s*?(?=\S|$)/)
    .map((lines) =>
      lines
        .split('\n')
        .flatMap((line, index) => [
          ...(index > 0 && hardbreak ? [hardbreak.create()] : []),
          ...(line === '' ? [] : [schema.text(line, marks)]),
        ]),
    )
    .flatMap((content) => paragraph?.create(null, content) ?? []);
  return new Slice(Fragment.from(paragraphs), 1, 1);
}

/** A table cannot be nested in another, so its rows become lines of the cell. */
function pasteTableAsText(view: EditorView, { content }: Slice): boolean {
  const lines: string[] = [];
  let hasTable = false;
  content.descendants((node) => {
    hasTable ||= node.type.name.startsWith('table');
    if (node.type.name === 'table_row') lines.push(textOf(node));
    else if (node.isTextblock) lines.push(node.textContent);
    return node.type.name !== 'table_row';
  });
  if (!hasTable || !isInTable(view.state)) return false;
  view.dispatch(view.state.tr.replaceSelection(readPlainText(lines.join('\n'), view.state.schema)).scrollIntoView());
  return true;
}

function textOf(row: ProseNode): string {
  const cells: string[] = [];
  row.forEach((cell) => void cells.push(cell.textBetween(0, cell.content.size, ' ', ' ')));
  return cells.filter((text) => text !== '').join(' ');
}
