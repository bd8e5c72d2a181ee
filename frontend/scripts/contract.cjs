/**
 * The contract that the client is generated from: openapi.json, which is what the server says (`make contract` writes
 * it), and what openapi-next.json adds. Where both have a call or a part, the server's holds.
 */
const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');
const NEXT = join(ROOT, 'openapi-next.json');
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Headers are the base query's: no call takes them as arguments. */
const withoutHeaders = (call) => ({
  ...call,
  parameters: call.parameters?.filter((parameter) => parameter.in !== 'header'),
});

/** Writes the contract; returns its path, as the generator wants a file. */
module.exports.mergedContract = () => {
  const served = read(join(ROOT, 'openapi.json'));
  if (existsSync(NEXT)) {
    const next = read(NEXT);
    for (const [path, calls] of Object.entries(next.paths)) {
      served.paths[path] = { ...calls, ...served.paths[path] };
    }
    for (const [kind, parts] of Object.entries(next.components)) {
      served.components[kind] = { ...parts, ...served.components[kind] };
    }
  }
  for (const calls of Object.values(served.paths)) {
    for (const [method, call] of Object.entries(calls)) {
      calls[method] = withoutHeaders(call);
    }
  }
  const folder = join(ROOT, 'node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'contract.json');
  writeFileSync(file, JSON.stringify(served));
  return file;
};
