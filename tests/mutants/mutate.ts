import ts from 'typescript';
import { changesOfSql, looksLikeSql } from './mutate-sql.ts';

/** One change to the product: `[start, end)` of the file becomes `to`. */
export type Mutant = { file: string; line: number; start: number; end: number; from: string; to: string };

/**
 * A mutant with its enclosing expression: `[hostStart, hostEnd)` becomes `hostTo`. `isOfModule`: the expression is
 * evaluated with the module, before any test.
 */
export type HostedMutant = Mutant & { hostStart: number; hostEnd: number; hostTo: string; isOfModule: boolean };

const { SyntaxKind: Kind } = ts;

const operators = new Map<ts.SyntaxKind, string>([
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
  [Kind.EqualsEqualsEqualsToken, '!=='],
  [Kind.ExclamationEqualsEqualsToken, '==='],
  [Kind.AmpersandAmpersandToken, '||'],
  [Kind.BarBarToken, '&&'],
  [Kind.PlusToken, '-'],
  [Kind.MinusToken, '+'],
]);

/** Conditions of the query builder. */
const builders: Record<string, string> = {
  eq: 'ne',
  ne: 'eq',
  lt: 'lte',
  lte: 'lt',
  gt: 'gte',
  gte: 'gt',
  and: 'or',
  or: 'and',
  inArray: 'notInArray',
  notInArray: 'inArray',
  isNull: 'isNotNull',
  isNotNull: 'isNull',
};
/** The name by which instrumented files reach the query builder. */
export const BUILDER = 'mutantBuilder';

export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/** Every mutant of a file, in the order of the text. */
export function mutantsOf(file: string, text: string): HostedMutant[] {
  const source = parse(file, text);
  const isOfModule = moduleLevelCheck(source);
  const mutants: HostedMutant[] = [];
  const add = (host: ts.Node, start: number, end: number, to: string) => {
    const [hostStart, hostEnd] = [host.getStart(source), host.getEnd()];
    mutants.push({
      file,
      line: source.getLineAndCharacterOfPosition(start).line + 1,
      start,
      end,
      from: text.slice(start, end),
      to,
      hostStart,
      hostEnd,
      hostTo: text.slice(hostStart, start) + to + text.slice(end, hostEnd),
      isOfModule: isOfModule(host),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    changesOfNode(node, source, (change, host = node) => add(host, change.start, change.end, change.to));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Returns a check for nodes that run when the module is evaluated, including in functions that its constants call. */
function moduleLevelCheck(source: ts.SourceFile): (node: ts.Node) => boolean {
  const called = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isCallExpression(node)) called.add(node.expression.getText(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return (node) => {
    const enclosing = ts.findAncestor(node, ts.isFunctionLike);
    const { name } = enclosing?.parent && ts.isVariableDeclaration(enclosing.parent) ? enclosing.parent : {};
    return !enclosing || (name !== undefined && called.has(name.getText(source)));
  };
}

type Add = (change: { start: number; end: number; to: string }, host?: ts.Node) => void;

function changesOfNode(node: ts.Node, source: ts.SourceFile, add: Add): void {
  const replaceWith = (target: ts.Node, to: string, host: ts.Node = target) =>
    add({ start: target.getStart(source), end: target.getEnd(), to }, host);
  const condition = (target: ts.Expression) => {
    replaceWith(target, 'true');
    replaceWith(target, 'false');
  };
  if (ts.isBinaryExpression(node)) {
    const to = operators.get(node.operatorToken.kind);
    if (to !== undefined && !isTextJoin(node)) replaceWith(node.operatorToken, to, node);
  } else if (ts.isIfStatement(node)) condition(node.expression);
  else if (ts.isConditionalExpression(node)) condition(node.condition);
  else if (ts.isWhileStatement(node)) replaceWith(node.expression, 'false');
  else if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken)
    replaceWith(node, node.operand.getText(source));
  else if (ts.isNumericLiteral(node)) changeNumber(node, replaceWith);
  else if (ts.isArrayLiteralExpression(node)) removeElements(node, source, add);
  else if (ts.isCallExpression(node)) changesOfCall(node, source, add);
  if (isSqlText(node)) {
    const inner = node.getStart(source) + 1;
    for (const change of changesOfSql(source.text.slice(inner, node.getEnd() - 1)))
      add(
        { start: inner + change.start, end: inner + change.end, to: change.to },
        ts.isTaggedTemplateExpression(node.parent) ? node.parent : node,
      );
  }
}

/** True for a `+` that joins strings instead of adding numbers. */
const isTextJoin = (node: ts.BinaryExpression): boolean =>
  node.operatorToken.kind === Kind.PlusToken &&
  [node.left, node.right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));

function isSqlText(node: ts.Node): boolean {
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    const tag = ts.isTaggedTemplateExpression(node.parent) ? node.parent.tag.getText() : '';
    return /^(?:sql|rawSql)\b/.test(tag) || (tag === '' && looksLikeSql(node.getText()));
  }
  return false;
}

/** Adds 1 to a small number (14 days become 15) and doubles a large one, often a unit such as a day in ms. */
function changeNumber(node: ts.NumericLiteral, replaceWith: (target: ts.Node, to: string) => void): void {
  const { parent } = node;
  if (ts.isElementAccessExpression(parent) || (ts.isPropertyAssignment(parent) && parent.name === node)) return;
  if (ts.isEnumMember(parent) || ts.isLiteralTypeNode(parent)) return;
  const value = Number(node.text);
  replaceWith(node, String(value >= 1000 ? value * 2 : value + 1));
}

function removeElements(node: ts.ArrayLiteralExpression, source: ts.SourceFile, add: Add): void {
  const { elements } = node;
  if (elements.length < 2 || !elements.every(ts.isStringLiteral)) return;
  for (const [index, element] of elements.entries()) {
    const next = elements[index + 1];
    const start = next ? element.getStart(source) : (elements[index - 1]?.getEnd() ?? element.getStart(source));
    add({ start, end: next ? next.getStart(source) : element.getEnd(), to: '' });
  }
}

function changesOfCall(node: ts.CallExpression, source: ts.SourceFile, add: Add): void {
  const callee = node.expression;
  const called = callee.getText(source);
  const swap = { 'Math.max': 'Math.min', 'Math.min': 'Math.max' }[called] ?? builderFor(called);
  if (swap) add({ start: callee.getStart(source), end: callee.getEnd(), to: swap });
  if (!/^(?:and|or)$/.test(called)) return;
  for (const argument of node.arguments.filter((operand) => !accountCondition.test(operand.getText(source))))
    add({ start: argument.getStart(source), end: argument.getEnd(), to: 'undefined' });
}

/** A clinic's database has one account, so removing an account condition changes nothing. */
const accountCondition = /^eq\(\w+\.accountId, /;

const builderFor = (called: string): string | undefined =>
  builders[called] === undefined ? undefined : `${BUILDER}.${builders[called]}`;
