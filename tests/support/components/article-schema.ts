import { Editor, rootCtx, schemaCtx } from '@milkdown/kit/core';
import { commonmark } from '@milkdown/kit/preset/commonmark';
import type { Schema } from '@milkdown/kit/prose/model';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { beforeAll } from 'vitest';
import { articleParts } from '#site/islands/cms/editor/text/article-schema.ts';

/** Builds the editor's schema once per test file and returns its getter. */
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
    if (!schema) throw new Error('the schema exists only from the first test on');
    return schema;
  };
}

/** Parses HTML as browsers do; the test DOM's parser mishandles some comments and nesting of office programs. */
export function documentOf(html: string): Document {
  const parsed = document.implementation.createHTMLDocument('');
  const [root] = parse(html).childNodes.filter((node) => node.nodeName === 'html') as DefaultTreeAdapterTypes.Element[];
  for (const part of root?.childNodes ?? []) {
    const target = part.nodeName === 'head' ? parsed.head : parsed.body;
    if ('childNodes' in part) for (const child of part.childNodes) copyInto(target, child, parsed);
  }
  return parsed;
}

function copyInto(parent: Node, node: DefaultTreeAdapterTypes.ChildNode, owner: Document): void {
  if (node.nodeName === '#text')
    parent.appendChild(owner.createTextNode((node as DefaultTreeAdapterTypes.TextNode).value));
  else if (node.nodeName === '#comment') {
    parent.appendChild(owner.createComment((node as DefaultTreeAdapterTypes.CommentNode).data));
  } else if ('childNodes' in node && 'attrs' in node) {
    const element = owner.createElement(node.tagName);
    for (const { name, value } of node.attrs) element.setAttribute(name, value);
    parent.appendChild(element);
    for (const child of node.childNodes) copyInto(element, child, owner);
  }
}
