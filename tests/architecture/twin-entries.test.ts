import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

interface Exported {
  /** As an importer writes it: `connect`, `type Session`. */
  name: string;
  /** The module it comes from; the entry itself where it is written there. */
  from: string;
}

/** What a module exports, each on its own: the folder's rules allow no star. */
function exportsOf(path: string): Exported[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement): Exported[] => {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      const from = statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : path;
      const isType = (each: ts.ExportSpecifier) => statement.isTypeOnly || each.isTypeOnly;
      return statement.exportClause.elements.map((each) => ({ name: `${isType(each) ? 'type ' : ''}${each.name.text}`, from }));
    }
    const isExported =
      ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      return [{ name: `type ${statement.name.text}`, from: path }];
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => ({ name: name.getText(source), from: path }));
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      return [{ name: statement.name?.text ?? 'default', from: path }];
    throw new Error(`${path} exports in a way that is not known here: ${statement.getText(source).slice(0, 80)}`);
  });
}

/** One package entry in two forms, and the names that come from elsewhere in each because that is their difference. */
test.each([
  ['src/agent/index.ts', 'src/agent/node.ts', ['connect', 'drive', 'type ConnectOptions']],
  ['plugin/index.ts', 'plugin/local.ts', ['aicc', 'type AiccOptions']],
])('%s and %s export the same names, and all but %j from the same places', (one, other, meant) => {
  const [ones, others] = [exportsOf(one), exportsOf(other)];
  const names = (list: Exported[]) => list.map(({ name }) => name).sort();
  expect(names(ones).length).toBeGreaterThan(10);
  expect(names(others)).toEqual(names(ones));
  const differing = ones.filter(({ from, name }) => others.find((each) => each.name === name)?.from !== from);
  expect(names(differing)).toEqual(meant);
});
