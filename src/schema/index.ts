export { compileSchema, type SchemaCheck, type SchemaOptions } from './compile.ts';
export { completeSchema } from './complete.ts';
