import type { Call } from './baseQuery';
import type { Preview } from './generated';
import { rootApi } from './root';

/** Any write, decided against the present state and thrown away: what it would do, or the problem that it would meet. */
export const { usePreviewMutation } = rootApi.injectEndpoints({
  endpoints: (build) => ({
    preview: build.mutation<Preview, Call>({
      query: (call) => ({ ...call, params: { ...call.params, preview: true } }),
    }),
  }),
});
