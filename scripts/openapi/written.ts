const WIDTH = 120;

/** JSON with a line for each part, and small parts in one line, so that a difference shows what changed and no more. */
export function written(value: unknown, indent = ''): string {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + short.length <= WIDTH) return short;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const parts = Array.isArray(value)
    ? value.map((one) => written(one, inner))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${JSON.stringify(key)}: ${written(one, inner)}`);
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
