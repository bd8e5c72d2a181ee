import type { Call } from './baseQuery';
import type { BulkAssignResult, Preview } from './generated';
import { rootApi } from './root';

const query = (call: Call) => ({ ...call, params: { ...call.params, preview: true } });

/** Preview of any write: its effect, or the problem it would meet; of a bulk assignment row by row. Nothing is stored. */
export const { usePreviewMutation, usePreviewBulkAssignMutation } = rootApi.injectEndpoints({
  endpoints: (build) => ({
    preview: build.mutation<Preview, Call>({ query }),
    previewBulkAssign: build.mutation<BulkAssignResult, Call>({ query }),
  }),
});
