import ts from 'typescript';
import { BUILDER, type HostedMutant, parse } from './mutate.ts';

/** A mutant that is compiled into the product and inactive unless its number is switched on. */
export type NumberedMutant = HostedMutant & { id: number };

const SWITCH = new URL('./switch.ts', import.meta.url).pathname;

type Piece = { start: number; end: number; mutants: NumberedMutant[] };

/**
 * Returns the text of a file with its mutants compiled in. Module-level values and statements built by `writtenOnce`
 * are evaluated again at each switch.
 */
export function instrument(file: string, text: string, mutants: NumberedMutant[]): string {
  const source = parse(file, text);
  const pieces = piecesOf(mutants);
  const emit = (start: number, end: number): string => emitRange(text, pieces, start, end);
  let out = '';
  let at = 0;
  for (const statement of source.statements) {
    out += text.slice(at, statement.getFullStart());
    out += ts.isVariableStatement(statement) ? emitConst(statement, source, pieces, emit) : emitNode(statement, emit);
    at = statement.getEnd();
  }
  const builder = /from 'drizzle-orm'/.test(text) ? `import * as ${BUILDER} from 'drizzle-orm'; ` : '';
  // The imports share the first line with the code, so line numbers in messages stay correct.
  return `import { isOn as isMutantOn, onSwitch as onMutantSwitch } from '${SWITCH}'; ${builder}${out}${text.slice(at)}`;
}

const emitNode = (node: ts.Node, emit: (start: number, end: number) => string) =>
  emit(node.getFullStart(), node.getEnd());

function piecesOf(mutants: NumberedMutant[]): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const mutant of mutants) {
    const key = `${mutant.hostStart}-${mutant.hostEnd}`;
    const piece = pieces.get(key) ?? { start: mutant.hostStart, end: mutant.hostEnd, mutants: [] };
    piece.mutants.push(mutant);
    pieces.set(key, piece);
  }
  // Outer pieces first.
  return [...pieces.values()].sort((a, b) => a.start - b.start || b.end - a.end);
}

function emitRange(text: string, pieces: Piece[], start: number, end: number, outer?: Piece): string {
  let out = '';
  let at = start;
  for (const piece of pieces) {
    if (piece === outer || piece.start < at || piece.end > end) continue;
    out += text.slice(at, piece.start);
    const choices = piece.mutants.map(({ id, hostTo }) => `isMutantOn(${id}) ? (${hostTo}) : `).join('');
    out += `(${choices}(${emitRange(text, pieces, piece.start, piece.end, piece)}))`;
    at = piece.end;
  }
  return out + text.slice(at, end);
}

/** Evaluates a module-level constant again at each switch if a mutant may change its value. */
function emitConst(
  statement: ts.VariableStatement,
  source: ts.SourceFile,
  pieces: Piece[],
  emit: (start: number, end: number) => string,
): string {
  const list = statement.declarationList;
  const changeable = list.declarations.filter(
    ({ name, initializer }) =>
      initializer &&
      ts.isIdentifier(name) &&
      !ts.isFunctionLike(initializer) &&
      (/^writtenOnce\b/.test(initializer.getText(source)) ||
        pieces.some(({ start, end }) => start >= initializer.getStart(source) && end <= initializer.getEnd()) ||
        (list.declarations.length === 1 && (isDerived(initializer) || isLocalCall(initializer, source)))),
  );
  const out = emitNode(statement, emit);
  if (changeable.length === 0) return out;
  const keyword = list.getStart(source);
  const prefix = emit(statement.getFullStart(), keyword);
  const rest = emit(keyword + 'const'.length, statement.getEnd());
  const renewals = changeable.map(
    ({ name, initializer }) =>
      `onMutantSwitch(() => { ${name.getText(source)} = ${initializer ? emit(initializer.getStart(source), initializer.getEnd()) : ''}; });`,
  );
  return `${prefix}let${rest.replace(/;$/, '')}; ${renewals.join(' ')}`;
}

/** True for a list or an expression of other constants, since it may contain one that changes. */
const isDerived = (initializer: ts.Expression): boolean =>
  ts.isBinaryExpression(initializer) ||
  ts.isTemplateExpression(initializer) ||
  ts.isArrayLiteralExpression(initializer);

/** True for a call of a function of the same module, since that may contain a mutant. */
const isLocalCall = (initializer: ts.Expression, source: ts.SourceFile): boolean =>
  ts.isCallExpression(initializer) &&
  new RegExp(`^const ${initializer.expression.getText(source)} = \\(`, 'm').test(source.text);
