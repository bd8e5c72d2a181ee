/** Makes src/api/generated.ts from openapi.json, the contract with the server. */
module.exports = {
  schemaFile: './openapi.json',
  apiFile: './src/api/root.ts',
  apiImport: 'rootApi',
  outputFile: './src/api/generated.ts',
  exportName: 'generatedApi',
  hooks: { queries: true, lazyQueries: true, mutations: true },
  tag: true,
  filterEndpoints: (name) => name !== 'streamChanges' && name !== 'getFile',
};
