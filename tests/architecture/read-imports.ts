import ts from 'typescript';

/** One way in which a file reaches for another. */
export interface ImportOf {
  line: number;
  /** As it stands in the file. */
  specifier: string;
  /** Only types come in: nothing of it is left at run time. */
  typeOnly: boolean;
}

/** What the house rules say about exports, broken in one place. */
export interface ExportFault {
  line: number;
  fault: 'export *' | 'default export';
}

/** Reads one source file with TypeScript's own parser. */
export function readImports(path: string, text: string): { imports: ImportOf[]; faults: ExportFault[] } {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: ImportOf[] = [];
  const faults: ExportFault[] = [];
  const lineOf = (node: ts.Node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  const add = (node: ts.Node, target: ts.Node | undefined, typeOnly: boolean) => {
    if (target && ts.isStringLiteralLike(target)) imports.push({ line: lineOf(node), specifier: target.text, typeOnly });
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, isTypeImport(node.importClause));
    if (ts.isExportDeclaration(node)) {
      add(node, node.moduleSpecifier, isTypeExport(node));
      if (!node.exportClause || ts.isNamespaceExport(node.exportClause)) faults.push({ line: lineOf(node), fault: 'export *' });
      if (
        node.exportClause &&
        ts.isNamedExports(node.exportClause) &&
        node.exportClause.elements.some(({ name }) => name.text === 'default')
      ) {
        faults.push({ line: lineOf(node), fault: 'default export' });
      }
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node, node.argument.literal, true);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node, node.arguments[0], false);
    if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
      add(node, node.moduleReference.expression, node.isTypeOnly);
    if (
      ts.isExportAssignment(node) ||
      (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword))
    ) {
      faults.push({ line: lineOf(node), fault: 'default export' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { imports, faults };
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return (
    !clause.name &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.length > 0 &&
    names.elements.every((name) => name.isTypeOnly)
  );
}

function isTypeExport(node: ts.ExportDeclaration): boolean {
  if (node.isTypeOnly) return true;
  const names = node.exportClause;
  return names !== undefined && ts.isNamedExports(names) && names.elements.length > 0 && names.elements.every((name) => name.isTypeOnly);
}
