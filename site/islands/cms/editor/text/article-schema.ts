import type { MilkdownPlugin } from '@milkdown/kit/ctx';
import {
  codeBlockSchema,
  hardbreakSchema,
  imageSchema,
  listItemSchema,
  orderedListSchema,
} from '@milkdown/kit/preset/commonmark';
import {
  strikethroughAttr,
  strikethroughInputRule,
  strikethroughKeymap,
  strikethroughSchema,
  toggleStrikethroughCommand,
  wrapInTaskListInputRule,
} from '@milkdown/kit/preset/gfm';
import { gapCursor } from '@milkdown/kit/prose/gapcursor';
import { keymap } from '@milkdown/kit/prose/keymap';
import { type Command, Selection, TextSelection } from '@milkdown/kit/prose/state';
import { goToNextCell, tableEditing, tableNodes } from '@milkdown/kit/prose/tables';
import { $markSchema, $nodeSchema, $prose } from '@milkdown/kit/utils';

/**
 * The nodes and marks of an article: all that the sanitizer stores, so that an edit loses nothing. The kit's own tables
 * support one header row and one paragraph per cell; these support the same as HTML tables.
 */

/** Texts are stored as HTML; the kit's Markdown rules are never used. */
const NO_MARKDOWN = { match: () => false, runner: () => undefined };

const attribute = (dom: HTMLElement, name: string): string | null => dom.getAttribute(name) || null;
const withoutNulls = (attrs: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(attrs).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

/** Excludes a table within a cell: the editor's commands for rows and columns could not tell the two apart. */
const CELL_CONTENT = '(paragraph | heading | blockquote | bullet_list | ordered_list | code_block | hr)+';

const kitTableNodes = tableNodes({
  tableGroup: 'block',
  cellContent: CELL_CONTENT,
  cellAttributes: {
    alignment: {
      default: null,
      getFromDOM: (dom) => attribute(dom, 'align'),
      setDOMAttr: (value, attrs) => {
        if (typeof value === 'string') attrs.align = value;
      },
    },
  },
});

const table = $nodeSchema('table', () => ({
  ...kitTableNodes.table,
  parseMarkdown: NO_MARKDOWN,
  toMarkdown: NO_MARKDOWN,
}));
const tableRow = $nodeSchema('table_row', () => ({
  ...kitTableNodes.table_row,
  attrs: { isHead: { default: false, validate: 'boolean' } },
  parseDOM: [{ tag: 'tr', getAttrs: (dom) => ({ isHead: dom.parentElement?.tagName === 'THEAD' }) }],
  toDOM: ({ attrs: { isHead } }) => ['tr', isHead ? { 'data-head': '' } : {}, 0],
  parseMarkdown: NO_MARKDOWN,
  toMarkdown: NO_MARKDOWN,
}));
const tableHeader = $nodeSchema('table_header', () => ({
  ...kitTableNodes.table_header,
  parseMarkdown: NO_MARKDOWN,
  toMarkdown: NO_MARKDOWN,
}));
const tableCell = $nodeSchema('table_cell', () => ({
  ...kitTableNodes.table_cell,
  parseMarkdown: NO_MARKDOWN,
  toMarkdown: NO_MARKDOWN,
}));

/** Puts the caret into a new paragraph after the table. */
const leaveTable: Command = ({ selection: { $head }, schema, tr }, dispatch) => {
  for (let depth = $head.depth; depth > 0; depth--) {
    if ($head.node(depth).type.name !== 'table') continue;
    const after = $head.after(depth);
    const paragraph = schema.nodes.paragraph?.create();
    if (!paragraph) return false;
    tr.insert(after, paragraph).setSelection(TextSelection.create(tr.doc, after + 1));
    dispatch?.(tr.scrollIntoView());
    return true;
  }
  return false;
};

/** Moves the caret to an end of the text, which browsers do not do for a caret between two blocks. */
const moveCaretTo =
  (end: 'atStart' | 'atEnd'): Command =>
  ({ doc, tr }, dispatch) => {
    dispatch?.(tr.setSelection(Selection[end](doc)).scrollIntoView());
    return true;
  };

const caretKeys = $prose(() =>
  keymap({
    Tab: goToNextCell(1),
    'Shift-Tab': goToNextCell(-1),
    'Mod-Enter': leaveTable,
    'Mod-Home': moveCaretTo('atStart'),
    'Mod-End': moveCaretTo('atEnd'),
  }),
);
const tables = $prose(() => tableEditing({ allowTableNodeSelection: true }));

/** Moves rows that are marked as header rows into the table's header. */
export function groupHeaderRows(parent: HTMLElement): void {
  for (const body of parent.querySelectorAll('tbody')) {
    const rows = [...body.children].filter((row) => row.hasAttribute('data-head'));
    if (rows.length === 0) continue;
    const head = parent.ownerDocument.createElement('thead');
    for (const row of rows) {
      row.removeAttribute('data-head');
      head.appendChild(row);
    }
    body.parentNode?.insertBefore(head, body);
    if (body.children.length === 0) body.remove();
  }
}

const listItem = listItemSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  // Lists, code and headings may come first in an item.
  content: 'block+',
  attrs: { ...previous(ctx).attrs, checked: { default: null, validate: 'boolean|null' } },
  parseDOM: [
    {
      tag: 'li',
      getAttrs: ({ dataset }) => ({
        label: dataset.label,
        listType: dataset.listType,
        checked: dataset.itemType === 'task' ? dataset.checked === 'true' : null,
      }),
    },
  ],
  toDOM: ({ attrs: { checked } }) => [
    'li',
    checked === null ? {} : { 'data-item-type': 'task', 'data-checked': String(checked) },
    0,
  ],
}));

const orderedList = orderedListSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  attrs: { ...previous(ctx).attrs, type: { default: null, validate: 'string|null' } },
  parseDOM: [
    {
      tag: 'ol',
      getAttrs: (dom) => ({ order: Number(dom.getAttribute('start') ?? 1), type: attribute(dom, 'type') }),
    },
  ],
  toDOM: ({ attrs: { order, type } }) => ['ol', withoutNulls({ start: order === 1 ? null : String(order), type }), 0],
}));

/** A line break is always a <br>: the kit's inline kind would be stored as a space. */
const lineBreak = hardbreakSchema.extendSchema((previous) => (ctx) => ({ ...previous(ctx), toDOM: () => ['br'] }));

const LANGUAGE = /(?:^|\s)language-(\S+)/;
const codeBlock = codeBlockSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  parseDOM: [
    {
      tag: 'pre',
      preserveWhitespace: 'full' as const,
      getAttrs: (dom) => ({
        language: dom.dataset.language ?? LANGUAGE.exec(dom.querySelector('code')?.className ?? '')?.[1] ?? '',
      }),
    },
  ],
}));

const sizeAttribute = { default: null, validate: 'string|null' };
/** The role of an image that needs no description. */
const DECORATIVE = 'presentation';
/** No title by default: a title that repeats the description does not help readers. */
const picture = imageSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  attrs: {
    ...previous(ctx).attrs,
    width: sizeAttribute,
    height: sizeAttribute,
    isDecorative: { default: false, validate: 'boolean' },
  },
  parseDOM: [
    {
      tag: 'img[src]',
      getAttrs: (dom) => ({
        src: dom.getAttribute('src') ?? '',
        alt: dom.getAttribute('alt') ?? '',
        title: dom.getAttribute('title') ?? '',
        width: attribute(dom, 'width'),
        height: attribute(dom, 'height'),
        isDecorative: dom.getAttribute('role') === DECORATIVE,
      }),
    },
  ],
  toDOM: ({ attrs: { src, alt, title, width, height, isDecorative } }) => [
    'img',
    { src, alt, ...withoutNulls({ title: title || null, width, height, role: isDecorative ? DECORATIVE : null }) },
  ],
}));

/** Strikethrough by either of two elements; `tag` keeps the original one. */
const strikethrough = strikethroughSchema.extendSchema((previous) => (ctx) => ({
  ...previous(ctx),
  attrs: { tag: { default: 'del', validate: 'string' } },
  parseDOM: ['del', 's', 'strike'].map((tag) => ({ tag, getAttrs: () => ({ tag: tag === 'del' ? 'del' : 's' }) })),
  toDOM: ({ attrs: { tag } }) => [String(tag), 0],
}));

const scriptMark = (name: string, tag: 'sub' | 'sup') =>
  $markSchema(name, () => ({
    excludes: 'subscript superscript',
    parseDOM: [{ tag }],
    toDOM: () => [tag, 0],
    parseMarkdown: NO_MARKDOWN,
    toMarkdown: NO_MARKDOWN,
  }));
const subscript = scriptMark('subscript', 'sub');
const superscript = scriptMark('superscript', 'sup');

/** Allows the caret beside a table or code block at the beginning of the text, and between two of them. */
const caretBesideBlocks = $prose(() => gapCursor());

export const articleParts: MilkdownPlugin[] = [
  listItem,
  orderedList,
  lineBreak,
  codeBlock,
  picture,
  table,
  tableRow,
  tableHeader,
  tableCell,
  strikethroughAttr,
  strikethrough,
  strikethroughInputRule,
  strikethroughKeymap,
  toggleStrikethroughCommand,
  wrapInTaskListInputRule,
  subscript,
  superscript,
  caretKeys,
  tables,
  caretBesideBlocks,
].flat();
