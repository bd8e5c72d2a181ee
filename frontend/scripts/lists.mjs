// Writes what each list of the contract may be asked, its sorts and its filters, for the screens; --check compares.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'src/api/lists.ts';
/** Parameters that every list has. */
const COMMON = ['CurrentPage', 'RecordsPerPage', 'sort', 'format'];

process.chdir(new URL('..', import.meta.url).pathname);
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
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
const text = [
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

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error(`${FILE} is not what openapi.json generates: run npm run generate`);
  process.exit(1);
}
