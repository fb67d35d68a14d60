import { commandsCtx, editorViewCtx } from '@milkdown/kit/core';
import type { Ctx } from '@milkdown/kit/ctx';
import { redoCommand, undoCommand } from '@milkdown/kit/plugin/history';
import {
  createCodeBlockCommand,
  insertHrCommand,
  toggleEmphasisCommand,
  toggleInlineCodeCommand,
  toggleStrongCommand,
  turnIntoTextCommand,
  wrapInBlockquoteCommand,
  wrapInBulletListCommand,
  wrapInHeadingCommand,
  wrapInOrderedListCommand,
} from '@milkdown/kit/preset/commonmark';
import { toggleStrikethroughCommand } from '@milkdown/kit/preset/gfm';
import { lift } from '@milkdown/kit/prose/commands';
import { redoDepth, undoDepth } from '@milkdown/kit/prose/history';
import type { MarkType, Node } from '@milkdown/kit/prose/model';
import { liftListItem } from '@milkdown/kit/prose/schema-list';
import { type EditorState, NodeSelection, TextSelection } from '@milkdown/kit/prose/state';
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable } from '@milkdown/kit/prose/tables';
import type { ToolIconName } from './ToolIcon.tsx';

/** `isDecorative`: needs no `alt`. */
export type PictureDescription = { alt: string; isDecorative: boolean };

/** The state of the tools at the cursor. */
export type ToolState = {
  isOn: Partial<Record<ToolIconName, boolean>>;
  canUndo: boolean;
  canRedo: boolean;
  isInTable: boolean;
  href: string | null;
  picture: ({ src: string } & PictureDescription) | null;
};

export const INITIAL_TOOL_STATE: ToolState = {
  isOn: {},
  canUndo: false,
  canRedo: false,
  isInTable: false,
  href: null,
  picture: null,
};

const hasMark = (state: EditorState, type: MarkType | undefined): boolean => {
  if (!type) return false;
  const { from, to, empty, $from } = state.selection;
  return empty ? Boolean(type.isInSet(state.storedMarks ?? $from.marks())) : state.doc.rangeHasMark(from, to, type);
};

export function readToolState(state: EditorState): ToolState {
  const { marks } = state.schema;
  const { $from, from, to } = state.selection;
  const ancestors = new Set<string>();
  for (let depth = $from.depth; depth > 0; depth--) ancestors.add($from.node(depth).type.name);
  const level = $from.parent.type.name === 'heading' ? Number($from.parent.attrs.level) : 0;
  let href: string | null = null;
  state.doc.nodesBetween(from, from === to ? Math.min(to + 1, state.doc.content.size) : to, (node) => {
    const linkHref: unknown = marks.link?.isInSet(node.marks)?.attrs.href;
    if (typeof linkHref === 'string') href = linkHref;
  });
  const selectedNode = state.selection instanceof NodeSelection ? state.selection.node : null;
  return {
    isOn: {
      bold: hasMark(state, marks.strong),
      italic: hasMark(state, marks.emphasis),
      strike: hasMark(state, marks.strike_through),
      code: hasMark(state, marks.inlineCode),
      heading2: level === 2,
      heading3: level === 3,
      bullets: ancestors.has('bullet_list'),
      numbers: ancestors.has('ordered_list'),
      quote: ancestors.has('blockquote'),
      codeBlock: $from.parent.type.name === 'code_block',
      link: href !== null,
    },
    canUndo: undoDepth(state) > 0,
    canRedo: redoDepth(state) > 0,
    isInTable: ancestors.has('table'),
    href,
    picture: selectedNode?.type.name === 'image' ? pictureOf(selectedNode) : null,
  };
}

const pictureOf = ({ attrs: { src, alt, isDecorative } }: Node) => ({
  src: String(src),
  alt: String(alt ?? ''),
  isDecorative: isDecorative === true,
});

/** The number of pictures without a description. */
export function countUndescribed({ doc }: Pick<EditorState, 'doc'>): number {
  let count = 0;
  doc.descendants((node) => {
    if (node.type.name !== 'image') return;
    const { alt, isDecorative } = pictureOf(node);
    if (alt.trim() === '' && !isDecorative) count += 1;
  });
  return count;
}

export type Tool = { name: ToolIconName; label: string; run(ctx: Ctx, isOn: boolean): void };

type Key = Parameters<ReturnType<typeof commands>['call']>[0];
/** A command's key exists only once the editor is ready. */
const call =
  (command: { key: Key }, payload?: unknown): Tool['run'] =>
  (ctx) =>
    void commands(ctx).call(command.key, payload);
const commands = (ctx: Ctx) => ctx.get(commandsCtx);

type Command = (state: EditorState, dispatch?: (transaction: EditorState['tr']) => void) => boolean;
const applyCommand = (ctx: Ctx, command: Command) => {
  const view = ctx.get(editorViewCtx);
  command(view.state, view.dispatch);
};
const runCommand =
  (command: Command): Tool['run'] =>
  (ctx) =>
    applyCommand(ctx, command);

/** Unwraps if the tool is already active. */
const wrapOrLift =
  (wrap: Tool['run'], isList: boolean): Tool['run'] =>
  (ctx, isOn) => {
    const item = ctx.get(editorViewCtx).state.schema.nodes.list_item;
    if (isOn) applyCommand(ctx, isList && item ? liftListItem(item) : lift);
    else wrap(ctx, isOn);
  };
const formatOrReset =
  (make: Tool['run']): Tool['run'] =>
  (ctx, isOn) =>
    isOn ? call(turnIntoTextCommand)(ctx, isOn) : make(ctx, isOn);

export const tools: Tool[][] = [
  [
    { name: 'bold', label: 'Bold', run: call(toggleStrongCommand) },
    { name: 'italic', label: 'Italic', run: call(toggleEmphasisCommand) },
    { name: 'strike', label: 'Strikethrough', run: call(toggleStrikethroughCommand) },
    { name: 'code', label: 'Code', run: call(toggleInlineCodeCommand) },
  ],
  [
    { name: 'heading2', label: 'Heading', run: formatOrReset(call(wrapInHeadingCommand, 2)) },
    { name: 'heading3', label: 'Subheading', run: formatOrReset(call(wrapInHeadingCommand, 3)) },
    { name: 'bullets', label: 'Bulleted list', run: wrapOrLift(call(wrapInBulletListCommand), true) },
    { name: 'numbers', label: 'Numbered list', run: wrapOrLift(call(wrapInOrderedListCommand), true) },
    { name: 'quote', label: 'Quote', run: wrapOrLift(call(wrapInBlockquoteCommand), false) },
    { name: 'codeBlock', label: 'Code block', run: formatOrReset(call(createCodeBlockCommand)) },
  ],
];

const TABLE_SIZE = 3;
const insertTable: Command = ({ schema, tr }, dispatch) => {
  const { table, table_row: row, table_header: header, table_cell: cell } = schema.nodes;
  const rows = Array.from({ length: TABLE_SIZE }, (_, index) => {
    const cells = Array.from({ length: TABLE_SIZE }, () => (index === 0 ? header : cell)?.createAndFill() ?? []);
    return row?.create({ isHead: index === 0 }, cells.flat()) ?? [];
  });
  const newTable = table?.create(null, rows.flat());
  if (!newTable) return false;
  const start = tr.selection.from;
  tr.replaceSelectionWith(newTable);
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(start))).scrollIntoView());
  return true;
};

export const insertTools: Tool[] = [
  { name: 'table', label: 'Table', run: runCommand(insertTable) },
  { name: 'rule', label: 'Dividing line', run: call(insertHrCommand) },
];

export const undoTool: Tool = { name: 'undo', label: 'Undo', run: call(undoCommand) };
export const redoTool: Tool = { name: 'redo', label: 'Redo', run: call(redoCommand) };

export const tableTools: { label: string; run: Tool['run'] }[] = [
  { label: 'Add row', run: runCommand(addRowAfter) },
  { label: 'Add column', run: runCommand(addColumnAfter) },
  { label: 'Delete row', run: runCommand(deleteRow) },
  { label: 'Delete column', run: runCommand(deleteColumn) },
  { label: 'Delete table', run: runCommand(deleteTable) },
];

/** Links the selection, or changes the link at the cursor; null removes it. */
export function setLink(ctx: Ctx, href: string | null): void {
  const view = ctx.get(editorViewCtx);
  const { state } = view;
  const { link } = state.schema.marks;
  if (!link) return;
  const { from, to, empty } = rangeOf(state);
  const tr = state.tr;
  if (empty && href) {
    tr.insertText(href.replace(/^mailto:/, ''), from);
    tr.addMark(from, tr.selection.from, link.create({ href }));
  } else {
    tr.removeMark(from, to, link);
    if (href) tr.addMark(from, to, link.create({ href }));
  }
  view.dispatch(tr.removeStoredMark(link).scrollIntoView());
}

/** The selection, or the whole link at the cursor if nothing is selected. */
function rangeOf(state: EditorState): { from: number; to: number; empty: boolean } {
  const { from, to, empty, $from } = state.selection;
  const { link } = state.schema.marks;
  if (!empty || !link) return { from, to, empty };
  let range: { from: number; to: number; empty: boolean } = { from, to, empty };
  $from.parent.forEach((node, offset) => {
    const start = $from.start() + offset;
    const touchesCursor = start <= from && from <= start + node.nodeSize;
    if (touchesCursor && link.isInSet(node.marks)) range = { from: start, to: start + node.nodeSize, empty: false };
  });
  return range;
}

/** Sets the selected picture's description. */
export function describePicture(ctx: Ctx, description: PictureDescription): void {
  const view = ctx.get(editorViewCtx);
  const { selection, tr } = view.state;
  if (!(selection instanceof NodeSelection)) return;
  tr.setNodeMarkup(selection.from, undefined, { ...selection.node.attrs, ...description });
  view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, selection.from)));
}

export function removePicture(ctx: Ctx): void {
  const view = ctx.get(editorViewCtx);
  const { tr } = view.state;
  tr.deleteSelection();
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(tr.selection.from, tr.doc.content.size)))));
}
