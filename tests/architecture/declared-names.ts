import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The types and values that a declaration file declares at its top level, and those of every file of the build that it imports. */
export function declaredNames(folder: string, entry: string): Set<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const queue = [entry];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const statement of statementsOf(join(folder, file))) {
      for (const name of namesOf(statement)) names.add(name);
      if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
      const from = statement.moduleSpecifier;
      if (from && ts.isStringLiteral(from) && from.text.startsWith('.')) queue.push(join(from.text).replace(/\.js$/, '.d.ts'));
    }
  }
  return names;
}

/** Classes and interfaces that files of a folder export to each other, and its index does not export. */
export function internalNames(folder: string): Set<string> {
  const published = new Set(statementsOf(join(folder, 'index.ts')).flatMap(exportedNames));
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'index.ts');
  const types = files
    .flatMap((file) => statementsOf(join(folder, file)))
    .filter((statement) => ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement));
  return new Set(types.flatMap(namesOf).filter((name) => !published.has(name)));
}

function statementsOf(path: string): readonly ts.Statement[] {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest).statements;
}

function exportedNames(statement: ts.Statement): string[] {
  const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
  return clause && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : [];
}

function namesOf(statement: ts.Statement): string[] {
  const isNamed = ts.isClassDeclaration(statement) || ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}
