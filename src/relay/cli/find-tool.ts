import type { CatalogueTool, Session } from '../../agent/node.ts';

/** @throws {Error} that lists the tools there are */
export function findTool(session: Session, id: string): CatalogueTool {
  const tool = session.tools.find((each) => each.id === id);
  if (tool !== undefined) return tool;
  throw new Error(`there is no tool ${id}; there are ${session.tools.map((each) => each.id).join(', ')}`);
}
