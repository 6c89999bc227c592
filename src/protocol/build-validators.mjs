/**
 * Turns the schemas beside this file into validators in `generated/`: plain code that runs under a strict Content-Security-Policy,
 * where compiling a schema at run time throws. Runs by `npm run build:validators`, and after `npm install` here (as `postprepare`: about a `prepare` npm
 * would ask everybody who installs the package).
 * Safe to run again and by several processes at once: a file is replaced whole, and only when it differs.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import standalone from 'ajv/dist/standalone/index.js';

const codePoints = ucs2length.default;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Each generated file and the validators it exports: name → schema. What is used apart is built apart, so that a bundle carries no more. */
const AICC = 'urn:phaser-aicc:aicc#/$defs/';
const LINK = 'urn:phaser-aicc:game-link#/$defs/';
const CLASP = 'urn:phaser-aicc:openclasp#/$defs/';
const kinds = (base, names) => Object.fromEntries(names.map((name) => [name, base + name]));
const FILES = {
  'agent-message': kinds(AICC, ['session_resume', 'session_close', 'manifest_request', 'tool_call', 'heartbeat']),
  'bridge-message': kinds(AICC, ['session_init', 'session_close', 'tool_result', 'event', 'error', 'heartbeat']),
  connect: { connect: 'urn:phaser-aicc:connect' },
  'to-relay': kinds(`${LINK}toRelay/`, [
    'hello',
    'rest',
    'changed',
    'characters',
    'opened',
    'refused',
    'close',
    'session_over',
    'interaction_over',
  ]),
  'to-game': kinds(`${LINK}toGame/`, [
    'welcome',
    'alive',
    'open',
    'refused_call',
    'close',
    'hold',
    'release',
    'quiet',
    'interaction',
    'end',
  ]),
  openclasp: kinds(CLASP, ['offer', 'activation', 'verify', 'verified', 'accepted', 'token', 'trust']),
};
/** Its lengths count code points, which takes a helper; it runs in the relay alone. */
const COUNTS_CODE_POINTS = 'openclasp';

const schemas = new Map(
  ['aicc', 'connect', 'game-link', 'openclasp'].map((name) => {
    const schema = JSON.parse(readFileSync(here(`./${name}.schema.json`), 'utf8'));
    return [schema.$id, schema];
  }),
);

function find(reference, base) {
  const [id, pointer = ''] = reference.split('#');
  const root = id || base;
  let node = schemas.get(root);
  for (const token of pointer.split('/').slice(1)) node = node?.[token];
  if (node === undefined) throw new Error(`no schema at ${reference}`);
  return [node, root];
}

/** The schema with its references put in place and without prose: error texts are made from what stands around the failing keyword. */
function resolve(schema, base) {
  if (Array.isArray(schema)) return schema.map((each) => resolve(each, base));
  if (schema === null || typeof schema !== 'object') return schema;
  if (typeof schema.$ref === 'string') return resolve(...find(schema.$ref, base));
  const isKeywords = typeof schema.description !== 'object';
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !isKeywords || (key !== 'description' && key !== 'title' && !key.startsWith('$')))
      .map(([key, value]) => [key, resolve(value, base)]),
  );
}

/**
 * ajv's code with its bulk taken out: each error through one function, without what nobody reads; no bookkeeping of `unevaluated…` keywords, which
 * the schemas do not use and whose assignments keep a bundler from leaving out a validator that nobody calls; and no asking whether there was an
 * error before, for each of them returns at once. @throws when something is left that this does not know
 */
function slim(code) {
  const slimmer = code
    .replace(/^const evaluated\d+ = .*\n(if\(evaluated\d+\.dynamic\w+\)\{\n.*\n\}\n){2}/gm, '')
    .replace(/^validate\d+\.evaluated = .*\n?/gm, '')
    .replace(
      /^(\w+)\.errors = \[\{(?:instancePath:)?instancePath\+?(.*?),schemaPath:.*?,keyword:("\w+"),params:(.*?),schema:.*?,parentSchema:(.*?),data(?::(\w+))?\}\];\nreturn false;/gm,
      (_, validate, path, keyword, params, parent, data = 'data') => {
        const name = /^\{(?:missing|additional)Property: (\w+)\}$/.exec(params)?.[1];
        return `return fail(${[validate, path || '""', keyword, parent, data, ...(name ? [name] : [])].join(', ')});`;
      },
    )
    .replace(/^(validate\d+)\.errors = vErrors;\nreturn errors === 0;/gm, '$1.errors = null;\nreturn true;')
    .replace(/^(let vErrors = null|let errors = 0|const _errs\d+ = errors|var valid\d+ = (_errs\d+ === errors|true));\n/gm, '')
    .replace(/if\((valid\d+|_errs\d+ === errors|errors === (0|_errs\d+))\)/g, 'if(true)')
    .replace(/if\(!valid\d+\)/g, 'if(false)')
    .replace(/\(data, \{instancePath="".*?\}=\{\}\)/g, '(data)');
  const odd = /evaluated|\berrors\b(?! = null)|_errs|\bvalid\d|instancePath/.exec(slimmer);
  if (odd) throw new Error(`ajv's code has another form than expected: ${slimmer.slice(Math.max(0, odd.index - 100), odd.index + 100)}`);
  return `${FAIL}${slimmer}`;
}

/** Sets the one error of a validator, in the form of schema-error.ts. */
const FAIL = `function fail(validate, instancePath, keyword, parentSchema, data, name){
validate.errors = [{instancePath,keyword,parentSchema,data,name}];
return false;
}
`;

function replace(path, text) {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, text);
  renameSync(draft, path);
}

mkdirSync(here('./generated'), { recursive: true });
for (const [file, exported] of Object.entries(FILES)) {
  const ajv = new Ajv2020({
    code: { source: true, esm: true, lines: true },
    unicode: file === COUNTS_CODE_POINTS, // else no length but 1 is asked for, so counting is the same and no helper is needed
    formats: { uuid: true, 'date-time': true }, // the pattern that stands beside it says it all
    verbose: true, // errors carry the schema around the failing keyword
    messages: false, // schema-error.ts has its own words
    logger: false, // or it warns of `unicode`; a wrong schema still throws
  });
  for (const [name, reference] of Object.entries(exported)) ajv.addSchema(resolve(...find(reference, '')), name);
  const code = slim(
    standalone(ajv, Object.fromEntries(Object.keys(exported).map((name) => [name, name]))).replace(codePoints.code, `${codePoints}`),
  );
  if (/\brequire\(|\bimport\b|new Function|\beval\(/.test(code)) throw new Error(`${file}: the generated code needs something at run time`);
  replace(here(`./generated/${file}.js`), code);
  const declarations = Object.keys(exported).map((name) => `export declare const ${name}: Validate;\n`);
  replace(here(`./generated/${file}.d.ts`), `import type { Validate } from '../schema-error.ts';\n${declarations.join('')}`);
}
