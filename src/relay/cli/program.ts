import { basename } from 'node:path';

/**
 * What a person types to run this command line. The package has it under two names, and npx may find no other than the package's.
 * @param script what Node runs, by the name it was called by
 */
export function programOf(script: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  if (env.npm_command === 'exec') return 'npx phaser-aicc';
  return basename(script ?? '') === 'phaser-aicc' ? 'phaser-aicc' : 'aicc';
}

/** A text whose commands read `aicc COMMAND`, as this person types them. */
export function asTyped(text: string, program: string, commands: readonly string[]): string {
  const written = new RegExp(`(?<![\\w-])aicc (?=(?:COMMAND|help|${commands.join('|')})\\b)`, 'g');
  return text.replace(written, `${program} `);
}
