import { createApi } from '@reduxjs/toolkit/query/react';
import { baseQuery } from './baseQuery';

/** The empty API that the generated endpoints are injected into. */
export const rootApi = createApi({
  reducerPath: 'api',
  baseQuery,
  endpoints: () => ({}),
});
