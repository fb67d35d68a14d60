import { defaultValueCtx, Editor, editorViewCtx, editorViewOptionsCtx, rootCtx, schemaCtx } from '@milkdown/kit/core';
import type { Ctx } from '@milkdown/kit/ctx';
import { history } from '@milkdown/kit/plugin/history';
import { trailing } from '@milkdown/kit/plugin/trailing';
import { commonmark } from '@milkdown/kit/preset/commonmark';
import type { Schema } from '@milkdown/kit/prose/model';
import { type EditorState, Plugin } from '@milkdown/kit/prose/state';
import { $prose } from '@milkdown/kit/utils';
import { editableBody, keepsWholeText, parseArticle, writeArticle } from './article-html.ts';
import { articleParts } from './article-schema.ts';
import { type PasteResult, pasteProps } from './paste/paste-plugin.ts';
import type { PictureDescription } from './tools.ts';

export type TextEditor = {
  html(): string;
  /** Replaces the text, in one step that can be undone. */
  replaceWith(html: string): void;
  run(action: (ctx: Ctx) => void): void;
  insertPicture(picture: { src: string } & PictureDescription): void;
  focus(): void;
  destroy(): void;
};

export type EditorEvents = {
  onChange(): void;
  onState(state: EditorState): void;
  /** Pictures or other files were dropped or pasted. */
  onFiles(result: PasteResult): void;
  /** True for a text that an edit would damage: it is shown read-only. */
  onLocked(isLocked: boolean): void;
};

/** Margins (px) for scrolling: the bars at the window's top and, on a phone, at its bottom must not hide the caret. */
const SCROLL_MARGINS = { top: 136, right: 0, bottom: 84, left: 0 };

export async function createTextEditor(root: HTMLElement, html: string, events: EditorEvents): Promise<TextEditor> {
  let isLocked = false;
  const updateLock = (schema: Schema, text: string) => {
    isLocked = !keepsWholeText(schema, text);
    events.onLocked(isLocked);
  };
  const changeListener = $prose(
    () =>
      new Plugin({
        view: () => ({
          update: (view, previousState) => {
            if (!previousState.doc.eq(view.state.doc)) events.onChange();
            events.onState(view.state);
          },
        }),
      }),
  );
  const editor = await Editor.make()
    .config((ctx) => {
      ctx.set(rootCtx, root);
      ctx.set(defaultValueCtx, { type: 'html', dom: editableBody(html) });
      ctx.update(editorViewOptionsCtx, (options) => ({
        ...options,
        editable: () => !isLocked,
        scrollThreshold: SCROLL_MARGINS,
        scrollMargin: SCROLL_MARGINS,
        attributes: { 'aria-label': 'Content', 'aria-multiline': 'true', class: 'article-text editor-text' },
        ...pasteProps(events.onFiles),
      }));
    })
    .use(commonmark)
    .use(articleParts)
    .use(history)
    .use(trailing)
    .use(changeListener)
    .create();
  const view = () => editor.ctx.get(editorViewCtx);
  updateLock(editor.ctx.get(schemaCtx), html);
  view().setProps({});
  events.onState(view().state);

  return {
    html: () => writeArticle(view().state.doc),
    replaceWith: (newHtml) => {
      const { state } = view();
      updateLock(state.schema, newHtml);
      const doc = parseArticle(state.schema, editableBody(newHtml));
      view().dispatch(state.tr.replaceWith(0, state.doc.content.size, doc.content));
    },
    run: (action) => {
      editor.action(action);
      view().focus();
    },
    insertPicture: (picture) => {
      const { state } = view();
      const node = state.schema.nodes.image?.create(picture);
      if (node) view().dispatch(state.tr.replaceSelectionWith(node, false).scrollIntoView());
      view().focus();
    },
    focus: () => view().focus(),
    destroy: () => void editor.destroy(),
  };
}
