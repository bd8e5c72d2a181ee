import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { RouterProvider, type RouterProviderProps } from 'react-router';
import { cssVariables, theme } from './theme';

interface AppProps extends Pick<RouterProviderProps, 'router'> {
  /** `test` disables transitions. */
  env?: 'test';
}

/** Outermost providers. The store is part of the shell, so that the login page loads without it. */
export function App({ router, env }: AppProps) {
  return (
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto" env={env}>
        {/* In a transition the old rows would stand while the address is already the new one's, and a click on one of
            them in between would take the address back. */}
        <RouterProvider router={router} useTransitions={false} />
      </MantineProvider>
    </StrictMode>
  );
}
