const { mergedContract } = require('./scripts/contract.cjs');

/** Makes src/api/generated.ts from the contract with the server. */
module.exports = {
  schemaFile: mergedContract(),
  apiFile: './src/api/root.ts',
  apiImport: 'rootApi',
  outputFile: './src/api/generated.ts',
  exportName: 'generatedApi',
  hooks: { queries: true, lazyQueries: true, mutations: true },
  tag: true,
  filterEndpoints: (name) => name !== 'streamChanges' && name !== 'getFile',
};
