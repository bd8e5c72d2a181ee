/**
 * The contract that the client is generated from: openapi.json, which is what the server serves, and what
 * openapi-next.json adds. Where both have a call or a schema, the server's holds.
 */
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');
const read = (name) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));

/** Writes the two documents as one; returns its path, as the generator wants a file. */
module.exports.mergedContract = () => {
  const served = read('openapi.json');
  const next = read('openapi-next.json');
  for (const [path, calls] of Object.entries(next.paths)) {
    served.paths[path] = { ...calls, ...served.paths[path] };
  }
  served.components.schemas = { ...next.components.schemas, ...served.components.schemas };
  const folder = join(ROOT, 'node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'contract.json');
  writeFileSync(file, JSON.stringify(served));
  return file;
};
