import type { CatalogueTool } from '../../agent/node.ts';
import type { Command } from './command.ts';
import { line, UsageError } from './io.ts';
import { DRIVE_HELP, DRIVE_OPTIONS, openFrom, TIMEOUT_HELP } from './reach.ts';
import { docComment, memberName, typeOfSchema } from './schema-type.ts';

/** Types have one form alone. */
const { json: _, ...OPTIONS } = DRIVE_OPTIONS;
const TYPES_HELP = DRIVE_HELP.replace(/^ {2}--json .*$/m, '').trimEnd();

export const types: Command = {
  summary: "write a character's tools as a TypeScript interface",
  help: `aicc types [options]
Prints a TypeScript interface of the character's tools, for typed calls: aicc types --character mira > mira.d.ts, then
connect<Mira>(…) or drive<Mira>(…). Takes no control, unless --offer is given: then it is what the offer allows, and the character is taken for a moment.

  --name NAME        what the interface is called, default: the character's id in PascalCase
${TIMEOUT_HELP}
${TYPES_HELP}`,
  options: { ...OPTIONS, name: { type: 'string' } },
  async run(given, io) {
    given.expectWords();
    const name = given.text('name') ?? pascalCase(given.text('character') ?? 'tools');
    if (memberName(name) !== name) throw new UsageError(`--name must be a name that TypeScript can use, not ${JSON.stringify(name)}`);
    const session = await openFrom(given, io, [], { spectate: true });
    try {
      line(io.stdout, interfaceText(name, session.tools, `${session.world.name}, made by \`${io.program} types\``));
    } finally {
      await session.close();
    }
    return 0;
  },
};

function interfaceText(name: string, tools: readonly CatalogueTool[], origin: string): string {
  const members = tools.map(({ id, description, input_schema, output_schema }) => {
    const input = `    input: ${typeOfSchema(input_schema, '    ')};\n`;
    const output = `    output: ${typeOfSchema(output_schema, '    ')};\n`;
    return `${docComment(description, '  ')}  ${memberName(id)}: {\n${input}${output}  };\n`;
  });
  return `${docComment(`Tools of a character in the world ${origin}.`, '')}export interface ${name} {\n${members.join('')}}`;
}

/** `old_tam` becomes `OldTam`; what does not begin as a name does gets an underscore. */
function pascalCase(id: string): string {
  const words = id.split(/[^\p{ID_Continue}]+|_+/u).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}
