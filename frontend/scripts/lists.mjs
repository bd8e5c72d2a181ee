// Writes what screens take from the contract: what each list may be asked, its sorts and its filters, how long the texts
// of requests may be, which values the enumerations have, which roles may make each call, and the reports; --check compares.
import { readFileSync, writeFileSync } from 'node:fs';

const LISTS = 'src/api/lists.ts';
const KINDS = 'src/api/kinds.ts';
const LIMITS = 'src/api/limits.ts';
const POLICY = 'src/api/policy.ts';
const REPORTS = 'src/api/reports.ts';
const REPORT_CALLS = 'src/api/reportCalls.ts';
/** Parameters that every list has. */
const COMMON = ['CurrentPage', 'RecordsPerPage', 'sort', 'format'];

process.chdir(new URL('..', import.meta.url).pathname);
const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8'));
const calls = Object.values(paths).flatMap((path) => Object.values(path));
const camel = (name) => name[0].toLowerCase() + name.slice(1);
const quoted = (values) => values.map((value) => `'${value}'`).join(', ');

const lists = calls
  .map((call) => [call.operationId, (call.parameters ?? []).filter(({ in: where }) => where === 'query')])
  // Reports have their columns in their own definitions.
  .filter(([operation]) => !operation.startsWith('get'))
  .filter(
    ([, query]) =>
      query.some(({ name }) => name === 'CurrentPage') && query.some(({ name }) => name === 'sort'),
  )
  .sort(([one], [other]) => one.localeCompare(other));
const asked = [
  '/* Generated from openapi.json by scripts/lists.mjs: what each list may be asked. */',
  'export const LISTS = {',
  ...lists.flatMap(([operation, query]) => {
    const sorts = query
      .find(({ name }) => name === 'sort')
      .schema.enum.filter((value) => !value.startsWith('-'));
    const filters = query.map(({ name }) => name).filter((name) => !COMMON.includes(name));
    return [
      `  ${operation}: {`,
      `    sorts: [${quoted(sorts)}],`,
      `    filters: [${quoted(filters.map(camel))}],`,
      '  },',
    ];
  }),
  '} as const;',
  '',
].join('\n');

const limited = Object.entries(components.schemas)
  .filter(([schema]) => schema.endsWith('Input'))
  .map(([schema, { properties = {} }]) => [
    schema,
    Object.entries(properties).filter(([, { maxLength }]) => maxLength !== undefined),
  ])
  .filter(([, fields]) => fields.length > 0)
  .sort(([one], [other]) => one.localeCompare(other));
const limits = [
  '/* Generated from openapi.json by scripts/lists.mjs: how many characters the texts of requests may have. */',
  'export const LIMITS = {',
  ...limited.map(([schema, fields]) => {
    const each = fields.map(([field, { maxLength }]) => `${field}: ${maxLength}`);
    return `  ${schema}: { ${each.join(', ')} },`;
  }),
  '} as const;',
  '',
].join('\n');

const plural = (name) =>
  /Days$/.test(name) ? camel(name) : `${camel(name)}${/s$/.test(name) ? 'es' : 's'}`.replace(/ys$/, 'ies');
const named = Object.entries(components.schemas)
  // A screen offers no error codes.
  .filter(([schema, { type, enum: values }]) => type === 'string' && values && schema !== 'ProblemCode')
  .sort(([one], [other]) => one.localeCompare(other));
const kinds = [
  '/* Generated from openapi.json by scripts/lists.mjs: the values of each enumeration, in the order of the contract. */',
  ...named.map(
    ([schema, { enum: values }]) => `export const ${plural(schema)} = [${quoted(values)}] as const;`,
  ),
  '',
].join('\n');

const role = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const admitted = calls
  .filter((call) => call['x-roles'])
  .map((call) => [call.operationId, call['x-roles'].map(role), call['x-office']])
  .sort(([one], [other]) => one.localeCompare(other));
const everyRole = [...new Set(admitted.flatMap(([, roles]) => roles))].sort();
const policy = [
  '/* Generated from openapi.json by scripts/lists.mjs: which roles may make each call, and what a member of the office needs. */',
  "import { Callers } from './office';",
  `export type Role = ${everyRole.map((name) => `'${name}'`).join(' | ')};`,
  ...admitted.map(([operation, roles, office]) => {
    const needs = office ? `, [${quoted(office.areas)}], '${office.right}'` : '';
    return `export const ${operation} = Callers.who<Role>([${quoted(roles)}]${needs});`;
  }),
  '',
].join('\n');

const REPORT_PATH = '/api/reports/';
const reports = Object.entries(paths)
  .filter(([path]) => path.startsWith(REPORT_PATH))
  .map(([path, { get: call }]) => {
    const name = role(path.slice(REPORT_PATH.length));
    return { name, path, operation: call.operationId, type: call.operationId.replace(/^get/, '') };
  });
const registered = [
  '/* Generated from openapi.json by scripts/lists.mjs: address, title and callers of each report. */',
  "import * as may from './policy';",
  'export const REPORTS = {',
  ...reports.map(
    ({ name, path, operation, type }) =>
      `  ${name}: { path: '/reports/${name}/', api: '${path}', title: 'common:menu.report${type.replace(/Report$/, '')}', roles: may.${operation} },`,
  ),
  '} as const;',
  'export type ReportName = keyof typeof REPORTS;',
  '',
].join('\n');
const pascal = (operation) => operation[0].toUpperCase() + operation.slice(1);
const called = [
  '/* Generated from openapi.json by scripts/lists.mjs: how each report is asked, and what it answers. */',
  "import * as api from './generated';",
  'export interface ReportCalls {',
  ...reports.map(
    ({ name, operation, type }) => `  ${name}: { arg: api.${pascal(operation)}ApiArg; page: api.${type} };`,
  ),
  '}',
  'export const REPORT_HOOKS = {',
  ...reports.map(({ name, operation }) => `  ${name}: api.use${pascal(operation)}Query,`),
  '} as const;',
  '',
].join('\n');

for (const [file, text] of [
  [LISTS, asked],
  [KINDS, kinds],
  [LIMITS, limits],
  [POLICY, policy],
  [REPORTS, registered],
  [REPORT_CALLS, called],
]) {
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what openapi.json generates: run npm run generate`);
    process.exitCode = 1;
  }
}
