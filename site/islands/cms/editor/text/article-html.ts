import {
  DOMSerializer,
  type Node as ProseNode,
  DOMParser as ProseParser,
  type Schema,
} from '@milkdown/kit/prose/model';
import { groupHeaderRows } from './article-schema.ts';
import { isSameArticle } from './same-article.ts';

const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/** A stored text for the editor. It ends with a paragraph, so that the caret can leave a table or code at the end. */
export function editableBody(html: string): HTMLElement {
  const body = bodyOf(html);
  if (!/^(?:P|H[1-6])$/.test(body.lastElementChild?.tagName ?? ''))
    body.appendChild(body.ownerDocument.createElement('p'));
  return body;
}

export const parseArticle = (schema: Schema, body: HTMLElement): ProseNode =>
  ProseParser.fromSchema(schema).parse(body);

export function writeArticle(doc: ProseNode): string {
  const root = document.createElement('div');
  root.appendChild(DOMSerializer.fromSchema(doc.type.schema).serializeFragment(doc.content));
  groupHeaderRows(root);
  // The editor adds ids to headings; they are not stored.
  for (const heading of root.querySelectorAll('[id]')) heading.removeAttribute('id');
  return root.innerHTML;
}

/** False if the editor cannot represent the whole text: saving would damage the rest. */
export const keepsWholeText = (schema: Schema, html: string): boolean =>
  isSameArticle(bodyOf(html), bodyOf(writeArticle(parseArticle(schema, bodyOf(html)))));
