import ts from 'typescript';

const WRITTEN = /127\.0\.0\.1|\b(4750|4751|43011|4_750|4_751|43_011)\b/;

/** Where a file writes a relay's usual host or ports itself, as `path:line text`: they stand in `src/protocol/default-addresses.ts`. Comments may. */
export function readWrittenDefaults(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
    const written = isText || ts.isNumericLiteral(node) ? WRITTEN.exec(node.getText(source)) : null;
    if (written) found.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1} ${written[0]}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
