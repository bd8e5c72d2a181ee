/**
 * The contract that the client is generated from: openapi.json, which is what the server says. `make contract` writes
 * it.
 */
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');

/** Headers, which all calls share by reference, are the base query's: no call takes them as arguments. */
const withoutHeaders = (call) => ({
  ...call,
  parameters: call.parameters?.filter((parameter) => parameter.in && parameter.in !== 'header'),
});

/** Writes the contract as it concerns the client; returns its path, as the generator wants a file. */
module.exports.contract = () => {
  const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  for (const calls of Object.values(document.paths)) {
    for (const [method, call] of Object.entries(calls)) {
      calls[method] = withoutHeaders(call);
    }
  }
  const folder = join(ROOT, 'node_modules/.cache');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'contract.json');
  writeFileSync(file, JSON.stringify(document));
  return file;
};
