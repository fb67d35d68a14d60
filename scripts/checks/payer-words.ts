import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/**
 * All texts for payers belong in the catalogue, `shared/words/`, in every language: a text elsewhere would be English
 * on a Spanish page. This finds texts between tags, texts in attributes that people read or hear, and sentences in
 * strings. Texts in `data-fill` of a built shell do not count, since each response replaces them.
 */
const PAYER_FILES = [
  'site/islands/pay/**/*.{ts,tsx}',
  'site/pages/make/payment/*.astro',
  'site/pages/receipt-shell-*.astro',
  'site/layouts/Pay.astro',
  'worker/domain/mail/*.ts',
  'worker/domain/pay-page/**/*.ts',
];
/** Mails to staff and the states of mails, in English. */
const FOR_STAFF = /\/(account-mails|delivery|installation-mails|payment-notices|staff-mails)\.ts$/;
/** The font rule of the card form's picture, and addresses that receive no mail. */
const NOT_READ = [/^body \{ font:/, /@example\.com$/];

const READ_ATTRIBUTES = [
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'label',
  'placeholder',
  'title',
];
const LETTER = /\p{L}/u;
/** Begins like a sentence with a second word, or ends like one, unlike class names and codes. */
const SENTENCE = /^\s*\p{Lu}\S* +\p{L}|\p{L}{2} \p{L}+.*[.!?]\s*$/u;

/** `line: text` of each text in TypeScript, with or without JSX. */
function textsInScript(source: string, isJsx: boolean): string[] {
  const file = ts.createSourceFile(
    'file',
    source,
    ts.ScriptTarget.Latest,
    true,
    isJsx ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isReadText(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      problems.push(`${line + 1}: ${node.text.trim()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return problems;
}

function isReadText(node: ts.Node): node is ts.LiteralLikeNode {
  if (ts.isJsxText(node)) return LETTER.test(node.text);
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node))
    return false;
  if (NOT_READ.some((pattern) => pattern.test(node.text)) || isForOperators(node)) return false;
  const isRead = ts.isJsxAttribute(node.parent) && READ_ATTRIBUTES.includes(node.parent.name.getText());
  return isRead ? LETTER.test(node.text) : SENTENCE.test(node.text);
}

/** True for thrown errors and log lines, which only operators read. */
function isForOperators(node: ts.Node): boolean {
  const call = node.parent;
  return ts.isNewExpression(call) && /Error$/.test(call.expression.getText());
}

/** `line: text` of each text in an Astro template, between tags or in an attribute that people read. */
function textsInTemplate(source: string): string[] {
  const blank = (text: string) => text.replace(/[^\n]/g, ' ');
  const markup = source
    .replace(/^---[\s\S]*?\n---/, blank)
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/g, blank)
    .replace(/<(\w+)\b[^<>]*\bdata-fill="[^"]*"[^<>]*>[^<]*<\/\1>/g, blank)
    // Expressions, with one level of nesting.
    .replace(/\{(?:[^{}]|\{[^{}]*\})*\}/g, blank);
  const texts = [...markup.matchAll(/>([^<>]*\p{L}[^<>]*)(?=<)/gu)];
  const attributes = [...markup.matchAll(/\s([\w-]+)="([^"]*\p{L}[^"]*)"/gu)].filter(([, name = '']) =>
    READ_ATTRIBUTES.includes(name),
  );
  const lineOf = (at: number) => markup.slice(0, at).split('\n').length;
  return [
    ...texts.map((match) => `${lineOf(match.index)}: ${(match[1] ?? '').trim()}`),
    ...attributes.map((match) => `${lineOf(match.index)}: ${match[2]}`),
  ];
}

/** The texts of a payer's file that are not in the catalogue, as `line: text`. */
export const textsOutside = (file: string, source: string): string[] =>
  file.endsWith('.astro') ? textsInTemplate(source) : textsInScript(source, file.endsWith('x'));

/** The files that contain the payer's pages and mails, each with its text. */
export function readPayerFiles(root: string): Map<string, string> {
  const files = PAYER_FILES.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.includes('.test.') && !FOR_STAFF.test(file));
  return new Map(files.sort().map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
}

if (import.meta.main) {
  let count = 0;
  const files = readPayerFiles(process.cwd());
  for (const [file, source] of files) {
    for (const text of textsOutside(file, source)) {
      console.log(`${file}:${text}: payers read this, so it belongs in shared/words/, in every language`);
      count += 1;
    }
  }
  console.log(`${files.size} files that payers see; texts outside the catalogue: ${count}`);
  if (count > 0) process.exitCode = 1;
}
