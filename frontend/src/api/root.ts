import { createApi } from '@reduxjs/toolkit/query/react';
import { answerOutcomes } from '~/shared/lib/outcome';
import { baseQuery } from './baseQuery';
import { hasOutcome, outcomeOf } from './outcome';

answerOutcomes({ ask: outcomeOf, canAsk: hasOutcome });

/** The empty API that the generated endpoints are injected into. */
export const rootApi = createApi({
  reducerPath: 'api',
  baseQuery,
  endpoints: () => ({}),
});
