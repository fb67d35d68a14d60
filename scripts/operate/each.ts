/** Clinics that are asked at the same time. */
const AT_ONCE = 8;

/** Asks for each, some at a time; the answers are in order. */
export async function eachOf<T, R>(some: readonly T[], ask: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let at = 0; at < some.length; at += AT_ONCE)
    answers.push(...(await Promise.all(some.slice(at, at + AT_ONCE).map(ask))));
  return answers;
}
