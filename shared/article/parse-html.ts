import type { Root } from 'hast';
import { fromParse5 } from 'hast-util-from-parse5';
import { type DefaultTreeAdapterMap, defaultTreeAdapter, parseFragment, type TreeAdapter } from 'parse5';

const MAX_DEPTH = 200;
/** By how many characters the parser's tags, all written out, may exceed the text: the parser opens some by itself. */
const MAX_ADDED = 30_000;

/**
 * Parses HTML as a browser without scripts does. Source positions are left out, since they double the memory. Throws
 * RangeError when the text nests too deeply or would grow too much.
 */
export function parseHtml(html: string): Root {
  const tree = fromParse5(
    parseFragment(html, { scriptingEnabled: false, treeAdapter: boundedAdapter(html.length + MAX_ADDED) }),
  );
  if (tree.type !== 'root') throw new TypeError(`a text was read as ${tree.type}`);
  return tree;
}

/**
 * Counts every tag that the parser opens, so nothing escapes the bound. A tag left open in one paragraph is opened
 * again in each that follows, with all its attributes: without a bound a few kilobytes become gigabytes.
 */
function boundedAdapter(maxTags: number): TreeAdapter<DefaultTreeAdapterMap> {
  // The parser's root does not count.
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
