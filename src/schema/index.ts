export { compileSchema, type SchemaCheck } from './compile.ts';
export { completeSchema } from './complete.ts';
