/** Words and times that are each gateway's own. The result's word stands in `state`. */
const OWN = new Set([
  ...['exchangeId', 'createdAt', 'changedAt', 'openedAt', 'settledAt', 'authCode', 'message', 'cause', 'result'],
  ...['confirmationCode', 'terminalName'],
]);
const IDS = new Set(['id', 'parentId', 'batchId', 'terminalId']);

/** An outcome without them; ids become labels by the order in which they come up. */
export function comparable(value: unknown, labels = new Map<string, string>()): unknown {
  if (Array.isArray(value)) return value.map((each) => comparable(each, labels));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (OWN.has(name)) return [];
      if (!IDS.has(name) || typeof member !== 'string' || member === '') return [[name, comparable(member, labels)]];
      const label = labels.get(member) ?? `#${labels.size + 1}`;
      labels.set(member, label);
      return [[name, label]];
    }),
  );
}
