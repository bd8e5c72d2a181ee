import { configureStore } from '@reduxjs/toolkit';
import { api } from '~/api';
import { toastsSlice } from '~/shared/ui/toasts/toasts';

/** A store of its own per call, so that sessions and tests share nothing. */
export function makeStore() {
  return configureStore({
    reducer: { [api.reducerPath]: api.reducer, [toastsSlice.name]: toastsSlice.reducer },
    middleware: (defaults) =>
      defaults({
        // Images of a delivery pass through actions; they are never kept in the state.
        serializableCheck: {
          ignoredActionPaths: ['meta.arg', 'meta.baseQueryMeta', 'payload'],
          ignoredPaths: [`${api.reducerPath}.mutations`],
        },
      }).concat(api.middleware),
  });
}

export type AppStore = ReturnType<typeof makeStore>;
