import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { parseFragment } from 'parse5';

/** A text as a tree, as a browser without scripts reads it; without the places of its parts, which cost as much again. */
export function parseHtml(html: string): Root {
  const tree = fromParse5(parseFragment(html, { scriptingEnabled: false }));
  if (tree.type !== 'root') throw new TypeError(`a text was read as ${tree.type}`);
  return tree;
}
