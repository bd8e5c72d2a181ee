/**
 * Writes the calls of the contract as a collection for Bruno: `node scripts/collection.mjs FOLDER`. Each request has its
 * parameters (optional ones switched off), an example of its body, and the contract's description.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import bruno from '@usebruno/lang';

const METHODS = ['get', 'post', 'put', 'delete'];
/** How deep examples of bodies go: nothing in the contract is deeper. */
const DEEPEST = 6;

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node scripts/collection.mjs FOLDER');
  process.exit(2);
}
const contract = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));

const resolved = (schema) =>
  schema?.$ref ? contract.components.schemas[schema.$ref.split('/').pop()] : schema;

/** An example of a schema, by its own examples where it has some. */
function example(schema, depth = 0) {
  const of = resolved(schema) ?? {};
  if (of.example !== undefined) return of.example;
  if (of.examples?.length) return of.examples[0];
  if (of.default !== undefined) return of.default;
  if (of.enum) return of.enum[0];
  const options = of.oneOf ?? of.anyOf;
  if (options) return example(options.find((option) => option.type !== 'null') ?? options[0], depth + 1);
  if (of.allOf) return Object.assign({}, ...of.allOf.map((part) => example(part, depth + 1)));
  const type = Array.isArray(of.type) ? of.type.find((name) => name !== 'null') : of.type;
  if (depth > DEEPEST) return null;
  if (type === 'object' || of.properties) {
    const fields = Object.entries(of.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, example(field, depth + 1)]));
  }
  if (type === 'array') return [example(of.items, depth + 1)];
  if (type === 'integer' || type === 'number') return of.minimum ?? 0;
  if (type === 'boolean') return false;
  if (of.format === 'uuid') return '00000000-0000-0000-0000-000000000000';
  if (of.format === 'date-time') return '2026-03-02T15:04:05Z';
  return '';
}

function parameter({ name, in: place, required, schema, example: given }) {
  const value = String(given ?? (required ? example(schema) : ''));
  return { name, value, enabled: Boolean(required), type: place };
}

/** The body of a request: JSON, a form with files, or none. */
function body(operation) {
  const content = operation.requestBody?.content ?? {};
  if (content['application/json']) {
    const shown = JSON.stringify(example(content['application/json'].schema), null, 2);
    return { body: 'json', contents: { json: shown } };
  }
  const form = content['multipart/form-data'];
  if (!form) return { body: 'none' };
  const fields = Object.entries(resolved(form.schema)?.properties ?? {});
  const parts = fields.map(([name, field]) => {
    const isFile = resolved(field)?.format === 'binary' || resolved(field)?.contentEncoding !== undefined;
    const value = isFile ? [] : String(example(field));
    return { name, value, enabled: true, type: isFile ? 'file' : 'text' };
  });
  return { body: 'multipartForm', contents: { multipartForm: parts } };
}

function request(path, method, operation, seq) {
  const parameters = (operation.parameters ?? []).filter((one) => one.in !== 'header').map(parameter);
  const { body: kind, contents } = body(operation);
  const isOpen = operation.security?.length === 0;
  return bruno.jsonToBruV2({
    meta: { name: operation.operationId, type: 'http', seq },
    http: {
      method,
      url: `{{url}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      body: kind,
      auth: isOpen ? 'none' : 'inherit',
    },
    params: parameters,
    headers: method === 'get' ? [] : [{ name: 'Idempotency-Key', value: '{{$guid}}', enabled: true }],
    ...(contents && { body: contents }),
    docs: [operation.summary, operation.description].filter(Boolean).join('\n\n'),
  });
}

function write(name, text) {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

write('bruno.json', `${JSON.stringify({ version: '1', name: 'Caudal', type: 'collection' }, null, 2)}\n`);
write(
  'collection.bru',
  bruno.jsonToCollectionBru({
    headers: [
      { name: 'X-Tenant', value: '{{tenant}}', enabled: true },
      { name: 'Accept-Language', value: '{{language}}', enabled: true },
    ],
    auth: { mode: 'bearer', bearer: { token: '{{key}}' } },
    docs: 'Set `url`, `tenant` and `key` (an API key, or the access token of a login) in the environment.',
  }),
);
write(
  'environments/caudal.bru',
  bruno.envJsonToBruV2({
    variables: [
      { name: 'url', value: 'http://127.0.0.1:8080', enabled: true },
      { name: 'tenant', value: 'default', enabled: true },
      { name: 'language', value: 'en', enabled: true },
      { name: 'key', value: '', enabled: true, secret: true },
    ],
  }),
);
let seq = 0;
for (const [path, item] of Object.entries(contract.paths)) {
  for (const method of METHODS) {
    const operation = item[method];
    if (!operation) continue;
    seq += 1;
    write(
      join(operation.tags?.[0] ?? 'other', `${operation.operationId}.bru`),
      request(path, method, operation, seq),
    );
  }
}
console.log(`${seq} calls`);
