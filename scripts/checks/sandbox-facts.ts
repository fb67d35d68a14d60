import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Where the sandbox simulates a vendor, a comment marks the source of each fact:
 *
 * - `[seen]` observed at the live vendor, by us or in a public report
 * - `[documented]` by the vendor itself: documents, schemas, its own code
 * - `[guessed]` everything else: our inference, third-party code, our choice
 *
 * Every route of a vendor needs a mark. MOST_GUESSED limits the number of guessed facts.
 */
const MOST_GUESSED = 31;

const VENDORS = /^sandbox\/(?:crm|gateway|boarding)\/|^sandbox\/mail\/api\.ts$/;
const ROUTE = /^\s*(?:\w+\.route|app\.(?:get|post|put|patch|delete|all|on))\(\s*['"`[]/;
const MARK = /^\s*(?:\/\/|\/?\*\*?) .*?\[(seen|documented|guessed)\]/;
export type Marks = Record<'seen' | 'documented' | 'guessed', number>;

/** The number of marks of each kind, and the vendor routes without a mark, as `file:line`. */
export function factsIn(files: Map<string, string>): { marks: Marks; unmarked: string[] } {
  const marks: Marks = { seen: 0, documented: 0, guessed: 0 };
  const unmarked: string[] = [];
  for (const [file, text] of files) {
    const lines = text.split('\n');
    for (const [at, line] of lines.entries()) {
      const mark = MARK.exec(line)?.[1] as keyof Marks | undefined;
      if (mark) marks[mark] += 1;
      if (VENDORS.test(file) && ROUTE.test(line) && !line.includes("app.route('/',") && !isMarked(lines, at))
        unmarked.push(`${file}:${at + 1}`);
    }
  }
  return { marks, unmarked };
}

/** True if the comment directly above a line has a mark. */
function isMarked(lines: string[], at: number): boolean {
  for (let line = at - 1; /^\s*\/\//.test(lines[line] ?? ''); line--) if (MARK.test(lines[line] ?? '')) return true;
  return false;
}

/** The problems. The limit may only fall, so a limit higher than the count is a problem too. */
export function problemsOf({ marks, unmarked }: ReturnType<typeof factsIn>, most: number): string[] {
  const problems = unmarked.map((where) => `${where} has no mark: state the source of this fact.`);
  if (marks.guessed > most)
    problems.push(`${marks.guessed} facts are guessed, but the limit is ${most}: verify or remove some.`);
  if (marks.guessed < most)
    problems.push(`Only ${marks.guessed} facts are guessed: lower MOST_GUESSED to keep it that way.`);
  return problems;
}

export function readSandbox(root: string): Map<string, string> {
  const files = globSync('sandbox/**/*.ts', { cwd: root }).map((file) => file.replaceAll(path.sep, '/'));
  return new Map(files.sort().map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

if (import.meta.main) {
  const facts = factsIn(readSandbox(process.cwd()));
  const { seen, documented, guessed } = facts.marks;
  console.log(`facts of the sandbox: guessed: ${guessed}, documented: ${documented}, seen: ${seen}`);
  const problems = problemsOf(facts, MOST_GUESSED);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}
