import ts from 'typescript';

/**
 * Where a class hides a member with a word that only the compiler knows, or declares fields in its constructor's parameters, as `path:line what`.
 * `#names` hold at run time, and a minifier shortens them. A constructor can be hidden in no other way.
 */
export function readSoftPrivates(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const note = (what: string) => found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1} ${what}`);
    if (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, node.parent)) note('declares a field in a parameter');
    else if (ts.isClassElement(node) && !ts.isConstructorDeclaration(node) && isPrivate(node)) note('is private without #');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isPrivate(node: ts.Node): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
}
