import { defaultValueCtx, Editor, editorViewCtx, editorViewOptionsCtx, rootCtx } from '@milkdown/kit/core';
import type { Ctx } from '@milkdown/kit/ctx';
import { clipboard } from '@milkdown/kit/plugin/clipboard';
import { history } from '@milkdown/kit/plugin/history';
import { commonmark, imageSchema } from '@milkdown/kit/preset/commonmark';
import { gfm } from '@milkdown/kit/preset/gfm';
import { DOMParser as ProseParser, type Slice } from '@milkdown/kit/prose/model';
import { type EditorState, Plugin, TextSelection } from '@milkdown/kit/prose/state';
import { isInTable } from '@milkdown/kit/prose/tables';
import type { EditorView } from '@milkdown/kit/prose/view';
import { $prose, getHTML } from '@milkdown/kit/utils';
import { cleanPaste } from './clean-paste.ts';

export type TextEditor = {
  html(): string;
  /** Replaces the text, in one step that can be undone. */
  replaceWith(html: string): void;
  run(action: (ctx: Ctx) => void): void;
  insertPicture(picture: { src: string; alt: string }): void;
  focus(): void;
  destroy(): void;
};

export type EditorEvents = {
  onChange(): void;
  onState(state: EditorState): void;
  /** Pictures that were dropped or pasted. */
  onFiles(files: File[]): void;
  /** The pasted text had pictures of other sites, which were removed. */
  onForeignPictures(): void;
};

/** No title by default: a title that repeats the description does not help readers. */
const pictureSchema = imageSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  parseDOM: [
    {
      tag: 'img[src]',
      getAttrs: (dom) => ({
        src: dom.getAttribute('src') ?? '',
        alt: dom.getAttribute('alt') ?? '',
        title: dom.getAttribute('title') ?? '',
      }),
    },
  ],
  toDOM: ({ attrs: { src, alt, title } }) => ['img', { src, alt, ...(title ? { title } : {}) }],
}));

/** Parses a stored text; the editor reads a cell's alignment from its style. */
function bodyOf(html: string): HTMLElement {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const cell of body.querySelectorAll<HTMLElement>('td[align], th[align]')) {
    cell.style.textAlign = cell.getAttribute('align') ?? '';
  }
  return body;
}

const imagesIn = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));

function takeFiles(data: DataTransfer | null, onFiles: EditorEvents['onFiles']): boolean {
  const files = imagesIn(data);
  // With text, word processors also put a picture of the selection on the clipboard: ignore it.
  if (files.length === 0 || data?.types.includes('text/html')) return false;
  onFiles(files);
  return true;
}

/** A table cannot be nested in another, so its content is pasted as text. */
function pasteTableAsText(view: EditorView, { content }: Slice): boolean {
  let hasTable = false;
  content.descendants(({ type }) => {
    hasTable ||= type.name.startsWith('table');
    return !hasTable;
  });
  if (!hasTable || !isInTable(view.state)) return false;
  view.dispatch(view.state.tr.insertText(content.textBetween(0, content.size, ' ')));
  return true;
}

/** Margins (px) for scrolling: the bars at the window's top and, on a phone, at its bottom must not hide the caret. */
const BARS = { top: 136, right: 0, bottom: 84, left: 0 };

function selectAt(view: EditorView, event: DragEvent): void {
  const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
  if (at) view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(at.pos))));
}

export async function createTextEditor(root: HTMLElement, html: string, events: EditorEvents): Promise<TextEditor> {
  const watch = $prose(
    () =>
      new Plugin({
        view: () => ({
          update: (view, before) => {
            if (!before.doc.eq(view.state.doc)) events.onChange();
            events.onState(view.state);
          },
        }),
      }),
  );
  const editor = await Editor.make()
    .config((ctx) => {
      ctx.set(rootCtx, root);
      ctx.set(defaultValueCtx, { type: 'html', dom: bodyOf(html) });
      ctx.update(editorViewOptionsCtx, (options) => ({
        ...options,
        scrollThreshold: BARS,
        scrollMargin: BARS,
        attributes: { 'aria-label': 'Content', 'aria-multiline': 'true', class: 'article-text editor-text' },
        transformPastedHTML: (pasted) => {
          const cleaned = cleanPaste(pasted, window.location.origin);
          if (cleaned.hasForeignPictures) events.onForeignPictures();
          return cleaned.html;
        },
        handlePaste: (view, event, slice) =>
          takeFiles(event.clipboardData, events.onFiles) || pasteTableAsText(view, slice),
        handleDrop: (view, event) => {
          if (imagesIn(event.dataTransfer).length === 0) return false;
          selectAt(view, event);
          event.preventDefault();
          return takeFiles(event.dataTransfer, events.onFiles);
        },
      }));
    })
    .use(commonmark)
    .use(gfm)
    .use(pictureSchema)
    .use(history)
    .use(clipboard)
    .use(watch)
    .create();
  const view = () => editor.ctx.get(editorViewCtx);
  events.onState(view().state);

  return {
    html: () => editor.action(getHTML()),
    replaceWith: (next) => {
      const { state } = view();
      const doc = ProseParser.fromSchema(state.schema).parse(bodyOf(next));
      view().dispatch(state.tr.replaceWith(0, state.doc.content.size, doc.content));
    },
    run: (action) => {
      editor.action(action);
      view().focus();
    },
    insertPicture: ({ src, alt }) => {
      const { state } = view();
      const node = state.schema.nodes.image?.create({ src, alt });
      if (node) view().dispatch(state.tr.replaceSelectionWith(node, false).scrollIntoView());
      view().focus();
    },
    focus: () => view().focus(),
    destroy: () => void editor.destroy(),
  };
}
