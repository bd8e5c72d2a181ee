/** Formats of the files that lists are downloaded as, in the order of the menu. */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'pdf', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
