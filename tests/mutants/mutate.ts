import ts from 'typescript';
import { changesOfSql, looksLikeSql } from './mutate-sql.ts';

/** One change to the product: `[start, end)` of the file becomes `to`. */
export type Mutant = { file: string; line: number; start: number; end: number; from: string; to: string };

/**
 * The mutant with the expression that stands instead of it: `[hostStart, hostEnd)` becomes `hostTo`. `isOfModule`: it is
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
  const isOfModule = ofModule(source);
  const found: HostedMutant[] = [];
  const add = (host: ts.Node, start: number, end: number, to: string) => {
    const [hostStart, hostEnd] = [host.getStart(source), host.getEnd()];
    found.push({
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
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** True for a node that is evaluated with its module, be it in a function that one of its constants calls. */
function ofModule(source: ts.SourceFile): (node: ts.Node) => boolean {
  const called = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isCallExpression(node)) called.add(node.expression.getText(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return (node) => {
    const within = ts.findAncestor(node, ts.isFunctionLike);
    const { name } = within?.parent && ts.isVariableDeclaration(within.parent) ? within.parent : {};
    return !within || (name !== undefined && called.has(name.getText(source)));
  };
}

type Add = (change: { start: number; end: number; to: string }, host?: ts.Node) => void;

function changesOfNode(node: ts.Node, source: ts.SourceFile, add: Add): void {
  const whole = (of: ts.Node, to: string, host: ts.Node = of) =>
    add({ start: of.getStart(source), end: of.getEnd(), to }, host);
  const condition = (of: ts.Expression) => {
    whole(of, 'true');
    whole(of, 'false');
  };
  if (ts.isBinaryExpression(node)) {
    const to = operators.get(node.operatorToken.kind);
    if (to !== undefined && !isOfText(node)) whole(node.operatorToken, to, node);
  } else if (ts.isIfStatement(node)) condition(node.expression);
  else if (ts.isConditionalExpression(node)) condition(node.condition);
  else if (ts.isWhileStatement(node)) whole(node.expression, 'false');
  else if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken)
    whole(node, node.operand.getText(source));
  else if (ts.isNumericLiteral(node)) changeNumber(node, whole);
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

/** Texts are put together with `+`, too, and are no sums. */
const isOfText = (node: ts.BinaryExpression): boolean =>
  node.operatorToken.kind === Kind.PlusToken &&
  [node.left, node.right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));

function isSqlText(node: ts.Node): boolean {
  if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    const tag = ts.isTaggedTemplateExpression(node.parent) ? node.parent.tag.getText() : '';
    return /^(?:sql|rawSql)\b/.test(tag) || (tag === '' && looksLikeSql(node.getText()));
  }
  return false;
}

/** 14 days become 15; what is large is a unit, such as a day in ms, and becomes twice as much. */
function changeNumber(node: ts.NumericLiteral, whole: (of: ts.Node, to: string) => void): void {
  const { parent } = node;
  if (ts.isElementAccessExpression(parent) || (ts.isPropertyAssignment(parent) && parent.name === node)) return;
  if (ts.isEnumMember(parent) || ts.isLiteralTypeNode(parent)) return;
  const value = Number(node.text);
  whole(node, String(value >= 1000 ? value * 2 : value + 1));
}

function removeElements(node: ts.ArrayLiteralExpression, source: ts.SourceFile, add: Add): void {
  const { elements } = node;
  if (elements.length < 2 || !elements.every(ts.isStringLiteral)) return;
  for (const [at, element] of elements.entries()) {
    const next = elements[at + 1];
    const start = next ? element.getStart(source) : (elements[at - 1]?.getEnd() ?? element.getStart(source));
    add({ start, end: next ? next.getStart(source) : element.getEnd(), to: '' });
  }
}

function changesOfCall(node: ts.CallExpression, source: ts.SourceFile, add: Add): void {
  const callee = node.expression;
  const called = callee.getText(source);
  const swap = { 'Math.max': 'Math.min', 'Math.min': 'Math.max' }[called] ?? builderFor(called);
  if (swap) add({ start: callee.getStart(source), end: callee.getEnd(), to: swap });
  if (!/^(?:and|or)$/.test(called)) return;
  for (const argument of node.arguments.filter((one) => !ofAccount.test(one.getText(source))))
    add({ start: argument.getStart(source), end: argument.getEnd(), to: 'undefined' });
}

/** A clinic's database has one account, so a statement without its condition is the same one. */
const ofAccount = /^eq\(\w+\.accountId, /;

const builderFor = (called: string): string | undefined =>
  builders[called] === undefined ? undefined : `${BUILDER}.${builders[called]}`;
