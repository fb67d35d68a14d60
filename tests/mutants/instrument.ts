import ts from 'typescript';
import { BUILDER, type HostedMutant, parse } from './mutate.ts';

/** A mutant that is compiled into the product, off unless its number is switched on. */
export type Numbered = HostedMutant & { id: number };

const SWITCH = new URL('./switch.ts', import.meta.url).pathname;

type Piece = { start: number; end: number; mutants: Numbered[] };

/**
 * The text of a file with its mutants compiled in. Values of the module itself are made anew with each switch, as are
 * statements that are written once.
 */
export function instrument(file: string, text: string, mutants: Numbered[]): string {
  const source = parse(file, text);
  const pieces = piecesOf(mutants);
  const emit = (start: number, end: number): string => emitRange(text, pieces, start, end);
  let out = '';
  let at = 0;
  for (const statement of source.statements) {
    out += text.slice(at, statement.getFullStart());
    out += ts.isVariableStatement(statement) ? emitConst(statement, source, pieces, emit) : emitOf(statement, emit);
    at = statement.getEnd();
  }
  const builder = /from 'drizzle-orm'/.test(text) ? `import * as ${BUILDER} from 'drizzle-orm'; ` : '';
  // On the first line, so that lines in messages stay those of the file.
  return `import { isOn as isMutantOn, onSwitch as onMutantSwitch } from '${SWITCH}'; ${builder}${out}${text.slice(at)}`;
}

const emitOf = (node: ts.Node, emit: (start: number, end: number) => string) =>
  emit(node.getFullStart(), node.getEnd());

function piecesOf(mutants: Numbered[]): Piece[] {
  const pieces = new Map<string, Piece>();
  for (const mutant of mutants) {
    const key = `${mutant.hostStart}-${mutant.hostEnd}`;
    const piece = pieces.get(key) ?? { start: mutant.hostStart, end: mutant.hostEnd, mutants: [] };
    piece.mutants.push(mutant);
    pieces.set(key, piece);
  }
  // The outer ones first.
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

/** A constant of the module that a mutant changes, or that keeps what a mutant changes, is made again at each switch. */
function emitConst(
  statement: ts.VariableStatement,
  source: ts.SourceFile,
  pieces: Piece[],
  emit: (start: number, end: number) => string,
): string {
  const list = statement.declarationList;
  const again = list.declarations.filter(
    ({ name, initializer }) =>
      initializer &&
      ts.isIdentifier(name) &&
      !ts.isFunctionLike(initializer) &&
      (/^writtenOnce\b/.test(initializer.getText(source)) ||
        pieces.some(({ start, end }) => start >= initializer.getStart(source) && end <= initializer.getEnd()) ||
        (list.declarations.length === 1 && (isMadeOfOthers(initializer) || isCallOfOwn(initializer, source)))),
  );
  const out = emitOf(statement, emit);
  if (again.length === 0) return out;
  const keyword = list.getStart(source);
  const lead = emit(statement.getFullStart(), keyword);
  const rest = emit(keyword + 'const'.length, statement.getEnd());
  const renewals = again.map(
    ({ name, initializer }) =>
      `onMutantSwitch(() => { ${name.getText(source)} = ${initializer ? emit(initializer.getStart(source), initializer.getEnd()) : ''}; });`,
  );
  return `${lead}let${rest.replace(/;$/, '')}; ${renewals.join(' ')}`;
}

/** A list, or an expression of other constants: it may hold the value of one that changes. */
const isMadeOfOthers = (initializer: ts.Expression): boolean =>
  ts.isBinaryExpression(initializer) ||
  ts.isTemplateExpression(initializer) ||
  ts.isArrayLiteralExpression(initializer);

/** A call of a function of the module itself, in which there may be a mutant. */
const isCallOfOwn = (initializer: ts.Expression, source: ts.SourceFile): boolean =>
  ts.isCallExpression(initializer) &&
  new RegExp(`^const ${initializer.expression.getText(source)} = \\(`, 'm').test(source.text);
