import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { RouterProvider, type RouterProviderProps } from 'react-router';
import { cssVariables, theme } from './theme';

interface AppProps extends Pick<RouterProviderProps, 'router'> {
  /** `test` leaves transitions out. */
  env?: 'test';
}

/** The providers around everything; the store comes with the shell, so that the login page need not wait for it. */
export function App({ router, env }: AppProps) {
  return (
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" env={env}>
        <RouterProvider router={router} />
      </MantineProvider>
    </StrictMode>
  );
}
