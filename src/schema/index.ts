export { compileSchema, type SchemaCheck, type SchemaOptions } from './compile.ts';
