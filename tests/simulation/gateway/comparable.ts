/** Wordings and times specific to each gateway. The result is compared by `state`. */
const SPECIFIC_FIELDS = new Set([
  ...['exchangeId', 'createdAt', 'changedAt', 'openedAt', 'settledAt', 'authCode', 'message', 'cause', 'result'],
  ...['confirmationCode', 'terminalName', 'avsResult', 'cscResult'],
]);
const ID_FIELDS = new Set(['id', 'parentId', 'batchId', 'terminalId']);

/** An outcome without gateway-specific fields; ids become labels in order of appearance. */
export function comparable(value: unknown, labels = new Map<string, string>()): unknown {
  if (Array.isArray(value)) return value.map((item) => comparable(item, labels));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (SPECIFIC_FIELDS.has(name)) return [];
      const isId = ID_FIELDS.has(name) && typeof member === 'string' && member !== '';
      if (!isId) return [[name, comparable(member, labels)]];
      const label = labels.get(member) ?? `#${labels.size + 1}`;
      labels.set(member, label);
      return [[name, label]];
    }),
  );
}
