const { contract } = require('./scripts/contract.cjs');

/** Makes src/api/generated.ts from the contract with the server. */
module.exports = {
  schemaFile: contract(),
  apiFile: './src/api/root.ts',
  apiImport: 'rootApi',
  outputFile: './src/api/generated.ts',
  exportName: 'generatedApi',
  hooks: { queries: true, lazyQueries: true, mutations: true },
  tag: true,
  // A preview changes nothing: it is read anew like any list, though what it asks for is too much for an address.
  endpointOverrides: [{ pattern: /^preview(Agency|Agent)Closures$/, type: 'query' }],
  filterEndpoints: (name) => name !== 'streamChanges' && name !== 'getFile',
};
