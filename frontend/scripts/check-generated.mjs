// The committed client is what the contract generates: nobody edits it, and nobody forgets `npm run generate`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { generateEndpoints } = require('@rtk-query/codegen-openapi');
const { outputFile, ...config } = require('../codegen.config.cjs');

process.chdir(new URL('..', import.meta.url).pathname);
// Without an output file the generator writes the import as seen from here.
const generated = (await generateEndpoints(config)).replace('"./src/api/root"', '"./root"');
if (generated.trim() !== readFileSync(outputFile, 'utf8').trim()) {
  console.error(`${outputFile} is not what openapi.json generates: run npm run generate`);
  process.exit(1);
}
