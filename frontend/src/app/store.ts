import { configureStore } from '@reduxjs/toolkit';
import { api } from '~/api';
import { toastsSlice } from '~/shared/ui/toasts/toasts';

/** A new store per call, so that sessions and tests are isolated. */
export function makeStore() {
  return configureStore({
    reducer: { [api.reducerPath]: api.reducer, [toastsSlice.name]: toastsSlice.reducer },
    middleware: (defaults) =>
      defaults({
        // Actions carry images of a delivery, which are never stored in the state.
        serializableCheck: {
          ignoredActionPaths: ['meta.arg', 'meta.baseQueryMeta', 'payload'],
          ignoredPaths: [`${api.reducerPath}.mutations`],
        },
      }).concat(api.middleware),
  });
}

export type AppStore = ReturnType<typeof makeStore>;
