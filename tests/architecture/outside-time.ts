import ts from 'typescript';

const GLOBALS = new Set(['Date', 'performance', 'crypto', 'setTimeout', 'setInterval', 'setImmediate', 'requestAnimationFrame']);

/** Where a file uses the machine's time or chance, as `path:line what`: a world must get both from outside to be replayed. */
export function readOutsideTime(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node) && isGlobal(node)) {
      found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1} uses ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether the name means the global one and not a member of something else. */
function isGlobal(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent) && parent.name === name) {
    const owner = parent.expression.getText();
    return (owner === 'Math' && name.text === 'random') || (owner === 'globalThis' && GLOBALS.has(name.text));
  }
  const declares = 'name' in parent && parent.name === name;
  return GLOBALS.has(name.text) && !declares;
}
