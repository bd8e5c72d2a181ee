import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { RouterProvider, type RouterProviderProps } from 'react-router';
import { cssVariables, theme } from './theme';

/** The providers around everything; the store comes with the shell, so that the login page need not wait for it. */
export function App({ router }: Pick<RouterProviderProps, 'router'>) {
  return (
    <StrictMode>
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
        <RouterProvider router={router} />
      </MantineProvider>
    </StrictMode>
  );
}
