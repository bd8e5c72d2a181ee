import type { Call } from './baseQuery';
import type { Preview } from './generated';
import { rootApi } from './root';

/** Preview of any write: its effect, or the problem it would meet. Nothing is stored. */
export const { usePreviewMutation } = rootApi.injectEndpoints({
  endpoints: (build) => ({
    preview: build.mutation<Preview, Call>({
      query: (call) => ({ ...call, params: { ...call.params, preview: true } }),
    }),
  }),
});
