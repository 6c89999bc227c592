export { compileSchema, type SchemaCheck } from './compile.ts';
