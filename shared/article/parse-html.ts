import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parseFragment, type TreeAdapter } from 'parse5';

const MAX_DEPTH = 200;
/** So much longer than the whole text its tags may be when all are written out: the parser opens some that nobody wrote. */
const MAX_ADDED = 30_000;

/**
 * A text as a tree, as a browser without scripts reads it; without the places of its parts, which cost as much again.
 * RangeError: it nests too deeply, or would become far more than it is.
 */
export function parseHtml(html: string): Root {
  const tree = fromParse5(
    parseFragment(html, { scriptingEnabled: false, treeAdapter: boundedAdapter(html.length + MAX_ADDED) }),
  );
  if (tree.type !== 'root') throw new TypeError(`a text was read as ${tree.type}`);
  return tree;
}

/**
 * Counts what the parser itself opens, so that nothing can be hidden from it. What is not closed where its paragraph ends is
 * opened again in each that follows, with all its attributes: without a bound a few kilobytes become gigabytes.
 */
function boundedAdapter(maxTags: number): TreeAdapter<DefaultTreeAdapterMap> {
  // The parser's own root is none of the text's.
  let depth = -1;
  let tags = 0;
  return {
    ...defaultTreeAdapter,
    createElement(name, namespace, attributes) {
      tags += attributes.reduce((sum, { name, value }) => sum + name.length + value.length + 1, name.length + 2);
      if (tags > maxTags) throw new RangeError('tags are opened again too often');
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
    onItemPush() {
      if (++depth > MAX_DEPTH) throw new RangeError('tags are nested too deeply');
    },
    onItemPop() {
      depth--;
    },
  };
}
