// @ts-check
// `npm run bench [-- NAME …]`: runs the benchmarks of this folder, prints their tables, and everything as JSON in the last line.
import { readdirSync } from 'node:fs';
import { register } from 'node:module';
import { cpus } from 'node:os';

// The benchmarks are TypeScript and read the sources.
register('tsx/esm', import.meta.url, { data: {} });

/**
 * A benchmark NAME is a file NAME.bench.ts here that exports these.
 * @typedef {{ columns: string[], rows: (string | number)[][], notes?: string[], data?: object }} Result
 * @typedef {{ name: string, run(): Promise<Result> }} Bench
 */

const wanted = process.argv.slice(2);
const files = readdirSync(new URL('.', import.meta.url)).filter((file) => file.endsWith('.bench.ts'));
const isWanted = (/** @type {string} */ file) => wanted.length === 0 || wanted.includes(file.replace('.bench.ts', ''));
const all = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, results: /** @type {{ [name: string]: object }} */ ({}) };

for (const file of files.filter(isWanted).sort()) {
  const { name, run } = /** @type {Bench} */ (await import(new URL(file, import.meta.url).href));
  console.log(`\n${name}`);
  const { columns, rows, notes = [], data = { columns, rows } } = await run();
  for (const line of table([columns, ...rows.map((row) => row.map(String))])) console.log(`  ${line}`);
  for (const note of notes) console.log(`  ${note}`);
  all.results[name] = data;
}
console.log(`\n${JSON.stringify(all)}`);

/**
 * The first column to the left, the others, numbers, to the right.
 * @param {string[][]} rows
 */
function table(rows) {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
  );
}
