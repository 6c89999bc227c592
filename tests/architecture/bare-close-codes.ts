import ts from 'typescript';

/** As they would be written for a connection's end; 1000 is a second too, so that one counts only where an end is meant. */
const BARE = /^(100[1-9]|101[0-5]|4000|4001|4401)$/;

/** Where a file writes a close code as a bare number, as `path:line number`: they have names in `src/protocol/close-codes.ts`. */
export function readBareCloseCodes(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isNumericLiteral(node)) {
      const written = node.getText(source);
      if (BARE.test(written) || (written === '1000' && meansAnEnd(node)))
        found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1} ${written}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** `close(1000)`, `code === 1000`, `{ code: 1000 }`, `(code = 1000) =>`. */
function meansAnEnd(node: ts.NumericLiteral): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return /close|end|finish/i.test(parent.expression.getText());
  if (ts.isBinaryExpression(parent)) return [parent.left, parent.right].some((side) => /code$/i.test(side.getText()));
  return 'name' in parent && parent.name !== undefined && /code$/i.test((parent.name as ts.Node).getText());
}
