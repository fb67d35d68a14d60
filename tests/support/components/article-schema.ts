import { Editor, rootCtx, schemaCtx } from '@milkdown/kit/core';
import { commonmark } from '@milkdown/kit/preset/commonmark';
import type { Schema } from '@milkdown/kit/prose/model';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { beforeAll } from 'vitest';
import { articleParts } from '#site/islands/cms/editor/text/article-schema.ts';

/** The editor's schema, made once for a file of tests. */
export function prepareArticleSchema(): () => Schema {
  let schema: Schema | undefined;
  beforeAll(async () => {
    const editor = await Editor.make()
      .config((ctx) => ctx.set(rootCtx, document.createElement('div')))
      .use(commonmark)
      .use(articleParts)
      .create();
    schema = editor.ctx.get(schemaCtx);
  });
  return () => {
    if (!schema) throw new Error('the schema is made before the first test');
    return schema;
  };
}

/** Parsed as browsers do; the test DOM's own parser knows less of the comments and nesting that programs write. */
export function documentOf(html: string): Document {
  const made = document.implementation.createHTMLDocument('');
  const [root] = parse(html).childNodes.filter((node) => node.nodeName === 'html') as DefaultTreeAdapterTypes.Element[];
  for (const part of root?.childNodes ?? []) {
    const target = part.nodeName === 'head' ? made.head : made.body;
    if ('childNodes' in part) for (const child of part.childNodes) copyInto(target, child, made);
  }
  return made;
}

function copyInto(parent: Node, node: DefaultTreeAdapterTypes.ChildNode, made: Document): void {
  if (node.nodeName === '#text')
    parent.appendChild(made.createTextNode((node as DefaultTreeAdapterTypes.TextNode).value));
  else if (node.nodeName === '#comment') {
    parent.appendChild(made.createComment((node as DefaultTreeAdapterTypes.CommentNode).data));
  } else if ('childNodes' in node && 'attrs' in node) {
    const element = made.createElement(node.tagName);
    for (const { name, value } of node.attrs) element.setAttribute(name, value);
    parent.appendChild(element);
    for (const child of node.childNodes) copyInto(element, child, made);
  }
}
